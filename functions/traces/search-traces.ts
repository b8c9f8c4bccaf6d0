import { readFilter } from "../../shared/domain/traces/read-filter.ts";
import type { TraceFilter } from "../../shared/domain/traces/trace-filter.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { traceRoutes } from "../../shared/routes/traces.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { TraceDetail } from "../../shared/schemas/traces/trace.ts";
import { type Page, pageMeta } from "../../shared/schemas/values/page.ts";
import { findTraces, readTrace, type TracesQuery } from "../../shared/stores/traces/index.ts";
import { fitting } from "./fitting.ts";
import { pageOfStats } from "./page-of-stats.ts";
import { traceOwner } from "./trace-owner.ts";
import type { TracesDeps } from "./traces-deps.ts";
import { traceDetail } from "./wire-trace.ts";

/**
 * Traces that a formula matches, or their sessions.
 *
 * @throws  ServiceError BAD_REQUEST for a formula that makes no sense
 * @decided the limit to the caller's own traces is no level of the formula
 */
export const searchTraces: Handler<typeof traceRoutes.searchTraces, TracesDeps> = async (
  { body, query, principal },
  deps,
) => {
  const criteria = {
    owner: traceOwner(principal, query),
    filter: filterIn(body.filter),
    retentionDays: deps.settings.TRACE_RETENTION_DAYS,
    now: epochSeconds(deps.clock),
  };
  return body.group_by === "session" ? pageOfStats(deps, criteria, body) : pageOfTraces(deps, criteria, body);
};

const filterIn = (formula: object | null | undefined): TraceFilter | undefined =>
  !formula || Object.keys(formula).length === 0 ? undefined : readFilter(formula);

async function pageOfTraces(
  { db, clock }: TracesDeps,
  criteria: TracesQuery,
  { page, limit }: { readonly page: number; readonly limit: number },
): Promise<Page<TraceDetail>> {
  const startedAt = clock.now();
  const { rows, total } = await findTraces(db, criteria, page * limit);
  const read = await Promise.all(
    rows
      .slice((page - 1) * limit)
      .map(({ trace_id, user_id }) => readTrace(db, trace_id, user_id, criteria.now)),
  );
  const data = fitting((chars) =>
    read.flatMap(({ trace, spans }) => (trace ? [traceDetail(trace, spans, chars)] : [])),
  );
  return { data, meta: pageMeta(page, limit, total, clock.now() - startedAt) };
}
