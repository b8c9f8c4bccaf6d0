import { breakdownOf } from "../../shared/domain/metrics/breakdown.ts";
import { DAY_SECONDS, startOfDay, utcDay } from "../../shared/domain/utc-day.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { metricsRoutes } from "../../shared/routes/metrics.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { listBreakdowns } from "../../shared/stores/metrics/index.ts";
import type { MetricsDeps } from "./metrics-deps.ts";
import { refreshedIfDue } from "./refreshed-if-due.ts";
import { scopeOf } from "./scope-of.ts";

/** Days of a breakdown unless others are asked for, and the most: each is an item of some kilobytes. */
const DEFAULT_DAYS = 7;
const MOST_DAYS = 400;

/**
 * The figures of some days by component, version, model, tool, user or day, brought up to date first where they are old.
 *
 * @throws ServiceError BAD_REQUEST for too many days
 * @decided ours; the wire counts by day and model alone
 */
export const getMetricsBreakdown: Handler<typeof metricsRoutes.getMetricsBreakdown, MetricsDeps> = async (
  { query, principal },
  deps,
) => {
  const scope = scopeOf(principal, query);
  const to = query.ending_date ?? utcDay(epochSeconds(deps.clock));
  const from = query.starting_date ?? utcDay(startOfDay(to) - (DEFAULT_DAYS - 1) * DAY_SECONDS);
  if (startOfDay(to) - startOfDay(from) >= MOST_DAYS * DAY_SECONDS)
    throw new ServiceError("BAD_REQUEST", `a breakdown is of ${MOST_DAYS} days at most`);
  await refreshedIfDue(deps, scope);
  const days = await listBreakdowns(deps.db, scope, { from, to });
  const rows = breakdownOf(days, query.by);
  return {
    data: rows.slice(0, query.limit),
    meta: { by: query.by, from, to, days: days.map(({ day }) => day), total_count: rows.length },
  };
};
