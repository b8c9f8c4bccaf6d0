import { isoTime } from "../../shared/domain/iso-time.ts";
import { hasBrokenOff } from "../../shared/domain/metrics/refresh-rules.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { metricsRoutes } from "../../shared/routes/metrics.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { RefreshStatus } from "../../shared/schemas/traces/metrics.ts";
import { getRefresh, type StoredRefresh } from "../../shared/stores/metrics/index.ts";
import type { MetricsDeps } from "./metrics-deps.ts";
import { scopeOf } from "./scope-of.ts";

/** The state of the last refresh. One whose process is gone has failed, whatever its record says. */
export const getRefreshStatus: Handler<
  typeof metricsRoutes.getRefreshStatus,
  Pick<MetricsDeps, "db" | "clock">
> = async ({ query, principal }, { db, clock }) => {
  const refresh = await getRefresh(db, scopeOf(principal, query));
  return refresh ? statusOf(refresh, epochSeconds(clock)) : never;
};

const never: RefreshStatus = { status: "idle", started_at: null, finished_at: null, error: null };

function statusOf(refresh: StoredRefresh, now: number): RefreshStatus {
  const started_at = isoTime(refresh.started_at);
  if (refresh.status === "running") {
    const gone = hasBrokenOff(refresh, now);
    return {
      status: gone ? "failed" : "running",
      started_at,
      finished_at: gone ? isoTime(refresh.busy_until) : null,
      error: gone ? BROKEN_OFF : null,
    };
  }
  const error = refresh.status === "failed" ? refresh.error : null;
  return { status: refresh.status, started_at, finished_at: isoTime(refresh.finished_at), error };
}

const BROKEN_OFF = "The refresh broke off. Days that were computed stay: refresh again to go on.";
