import { isoTime } from "../../shared/domain/iso-time.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { metricsRoutes } from "../../shared/routes/metrics.ts";
import { listDays } from "../../shared/stores/metrics/index.ts";
import type { MetricsDeps } from "./metrics-deps.ts";
import { refreshedIfDue } from "./refreshed-if-due.ts";
import { scopeOf } from "./scope-of.ts";
import { wireDay } from "./wire-day.ts";

/**
 * The stored days between two bounds, brought up to date first when they are old.
 *
 * @source docs/interface/metrics.md 1.1
 */
export const getMetrics: Handler<typeof metricsRoutes.getMetrics, MetricsDeps> = async (
  { query, principal },
  deps,
) => {
  const scope = scopeOf(principal, query);
  const refresh = await refreshedIfDue(deps, scope);
  const days = await listDays(deps.db, scope, { from: query.starting_date, to: query.ending_date });
  const updated = days.length > 0 ? refresh?.days_updated_at : undefined;
  return {
    metrics: days.map((day) => wireDay(scope, day)),
    updated_at: updated === undefined ? null : isoTime(updated),
  };
};
