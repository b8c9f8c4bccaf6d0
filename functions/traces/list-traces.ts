import type { Handler } from "../../shared/http/handler.ts";
import type { traceRoutes } from "../../shared/routes/traces.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { pageMeta } from "../../shared/schemas/values/page.ts";
import { findTraces, tracesAt } from "../../shared/stores/traces/index.ts";
import { filterOfQuery } from "./filter-of-query.ts";
import { traceOwner } from "./trace-owner.ts";
import type { TracesDeps } from "./traces-deps.ts";
import { traceSummary } from "./wire-trace.ts";

/** Traces of one page at most, whatever the request says. */
const MAX_LIMIT = 1000;

/**
 * One page of traces. Page 0 is the first page, and echoed as 0.
 *
 * @source docs/interface/traces.md 1.1
 */
export const listTraces: Handler<typeof traceRoutes.listTraces, TracesDeps> = async (
  { query, principal },
  { db, clock, settings },
) => {
  const startedAt = clock.now();
  const owner = traceOwner(principal, query);
  const filter = filterOfQuery(query, owner, { from: "start_time", to: "end_time" });
  const limit = Math.min(query.limit, MAX_LIMIT);
  const offset = (Math.max(1, query.page) - 1) * limit;
  const criteria = { owner, filter, retentionDays: settings.TRACE_RETENTION_DAYS, now: epochSeconds(clock) };
  const { rows, total } = await findTraces(db, criteria, offset + limit);
  const traces = await tracesAt(db, rows.slice(offset));
  const meta = pageMeta(query.page, limit, total, clock.now() - startedAt);
  return { data: traces.map(traceSummary), meta };
};
