import type { Handler } from "../../shared/http/handler.ts";
import type { traceRoutes } from "../../shared/routes/traces.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { filterOfQuery } from "./filter-of-query.ts";
import { pageOfStats } from "./page-of-stats.ts";
import { traceOwner } from "./trace-owner.ts";
import type { TracesDeps } from "./traces-deps.ts";

export const listTraceSessionStats: Handler<typeof traceRoutes.listTraceSessionStats, TracesDeps> = async (
  { query, principal },
  deps,
) => {
  const owner = traceOwner(principal, query);
  const filter = filterOfQuery(query, owner, { from: "created_at", to: "created_at" });
  const { TRACE_RETENTION_DAYS: retentionDays } = deps.settings;
  return pageOfStats(deps, { owner, filter, retentionDays, now: epochSeconds(deps.clock) }, query);
};
