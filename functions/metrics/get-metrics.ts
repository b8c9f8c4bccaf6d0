import { isoTime } from "../../shared/domain/iso-time.ts";
import { isRefreshDue } from "../../shared/domain/metrics/refresh-rules.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { metricsRoutes } from "../../shared/routes/metrics.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import {
  getRefresh,
  listDays,
  type MetricsScope,
  type StoredRefresh,
} from "../../shared/stores/metrics/index.ts";
import { awaitRefresh } from "./await-refresh.ts";
import type { MetricsDeps } from "./metrics-deps.ts";
import { scopeOf } from "./scope-of.ts";
import { startRefresh } from "./start-refresh.ts";
import { wireDay } from "./wire-day.ts";

/** How long a request waits for fresh figures; after that it gets those that are there. */
const MAX_WAIT_MS = 2_000;

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
  const refresh = await refreshedIfDue(deps, scope, await getRefresh(deps.db, scope));
  const days = await listDays(deps.db, scope, { from: query.starting_date, to: query.ending_date });
  const updated = days.length > 0 ? refresh?.days_updated_at : undefined;
  return {
    metrics: days.map((day) => wireDay(scope, day)),
    updated_at: updated === undefined ? null : isoTime(updated),
  };
};

/** A refresh that cannot be started must not fail the request: it is logged, and the figures are shown as they are. */
async function refreshedIfDue(
  deps: MetricsDeps,
  scope: MetricsScope,
  last: StoredRefresh | undefined,
): Promise<StoredRefresh | undefined> {
  if (!isRefreshDue(last, epochSeconds(deps.clock))) return last;
  try {
    const started = await startRefresh(deps, scope);
    return started ? await awaitRefresh(deps, scope, started, MAX_WAIT_MS) : last;
  } catch (error) {
    deps.log.warn("metrics were not refreshed for a reader", { error: String(error) });
    return last;
  }
}
