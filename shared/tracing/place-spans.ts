import { type Link, type SpanContext, TraceFlags } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import type { ForeignSpan } from "../domain/traces/traceparent.ts";

/**
 * Spans as they are exported, beside the span of another system that the run was requested in: the root links to it, or,
 * where that system is trusted, the spans are part of its trace and the root is its child.
 */
export function placeSpans(
  spans: readonly ReadableSpan[],
  caller: ForeignSpan | undefined,
  isTrusted: boolean,
): readonly ReadableSpan[] {
  if (!caller) return spans;
  const context = contextOf(caller);
  if (isTrusted) return spans.map((span) => placed(span, context));
  const links: Link[] = [{ context }];
  return spans.map((span) => (span.parentSpanContext ? span : changed(span, { links })));
}

const contextOf = ({ trace_id, span_id }: ForeignSpan): SpanContext => ({
  traceId: trace_id,
  spanId: span_id,
  traceFlags: TraceFlags.SAMPLED,
  isRemote: true,
});

function placed(span: ReadableSpan, caller: SpanContext): ReadableSpan {
  const { traceId } = caller;
  const parent = span.parentSpanContext;
  return changed(span, {
    spanContext: () => ({ ...span.spanContext(), traceId }),
    parentSpanContext: parent ? { ...parent, traceId } : caller,
  });
}

/** A view of a span: the stored one keeps its own trace. */
const changed = (span: ReadableSpan, members: Partial<ReadableSpan>): ReadableSpan =>
  new Proxy(span, {
    get: (target, name) => Reflect.get(name in members ? members : target, name),
  });
