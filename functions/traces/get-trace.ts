import { nodeOf } from "../../shared/domain/traces/build-tree.ts";
import { notFound } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { traceRoutes } from "../../shared/routes/traces.ts";
import { noteOwner } from "../../shared/runtime/audit-scope.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { TraceDetail, TraceNode } from "../../shared/schemas/traces/trace.ts";
import { readTrace } from "../../shared/stores/traces/index.ts";
import { fitting } from "./fitting.ts";
import { traceOwner } from "./trace-owner.ts";
import type { TracesDeps } from "./traces-deps.ts";
import { traceDetail } from "./wire-trace.ts";

/**
 * The tree of a trace, or one of its spans alone. The trace's own id decides, whatever run is named.
 *
 * @throws ServiceError NOT_FOUND for one that is unknown or another user's
 * @source docs/interface/traces.md 1.3
 */
export const getTrace: Handler<typeof traceRoutes.getTrace, TracesDeps> = async (
  { params, query, principal },
  { db, clock },
) => {
  const owner = traceOwner(principal, query);
  const { trace, spans } = await readTrace(db, params.trace_id, owner, epochSeconds(clock));
  if (!trace) throw notFound("trace", params.trace_id);
  noteOwner(trace.user_id);
  const { span_id } = query;
  const [shown] = fitting<TraceDetail | TraceNode | undefined>((chars) => [
    span_id === undefined ? traceDetail(trace, spans, chars) : nodeOf(spans, span_id, chars),
  ]);
  if (!shown) throw notFound("span", span_id ?? "");
  return shown;
};
