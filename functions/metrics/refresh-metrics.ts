import { ServiceError } from "../../shared/errors.ts";
import { type Handler, Reply } from "../../shared/http/handler.ts";
import type { metricsRoutes } from "../../shared/routes/metrics.ts";
import { listDays } from "../../shared/stores/metrics/index.ts";
import { awaitRefresh } from "./await-refresh.ts";
import type { MetricsDeps } from "./metrics-deps.ts";
import { scopeOf } from "./scope-of.ts";
import { startRefresh } from "./start-refresh.ts";
import { wireDay } from "./wire-day.ts";

/** How long a request waits for the figures, less than the HTTP API waits for the request. */
const MAX_WAIT_MS = 20_000;

/**
 * Computes the days that are not final, and answers with them.
 *
 * @returns 202 in the background, and when it takes longer than a request; 200 with a note when
 *   another refresh is under way
 * @throws  ServiceError INTERNAL_SERVER_ERROR with why the figures could not be computed
 */
export const refreshMetrics: Handler<typeof metricsRoutes.refreshMetrics, MetricsDeps> = async (
  { query, principal },
  deps,
) => {
  const scope = scopeOf(principal, query);
  const started = await startRefresh(deps, scope);
  if (!started) return query.background ? new Reply(202, alreadyRunning) : alreadyRunning;
  if (query.background) return new Reply(202, stillRunning);
  const ended = await awaitRefresh(deps, scope, started, MAX_WAIT_MS);
  if (ended.refresh_id !== started.refresh_id || ended.status === "running")
    return new Reply(202, stillRunning);
  if (ended.status === "failed") throw new ServiceError("INTERNAL_SERVER_ERROR", ended.error);
  const days = await listDays(deps.db, scope, { from: started.final_through });
  return days.filter(({ refresh_id }) => refresh_id === started.refresh_id).map((day) => wireDay(scope, day));
};

const stillRunning = {
  status: "started",
  message: "The metrics are being computed; GET /metrics/refresh/status shows their progress",
} as const;
const alreadyRunning = {
  status: "already_running",
  message: "The metrics are being computed already; GET /metrics/refresh/status shows their progress",
} as const;
