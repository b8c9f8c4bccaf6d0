import { type Context, ROOT_CONTEXT, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import { ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } from "@opentelemetry/sdk-trace";
import { traceparentOf } from "../domain/traces/traceparent.ts";
import type { SpanEnd, SpanStart, TraceSpan } from "../engine/ports/tracing.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Span } from "../schemas/traces/span.ts";
import { spanIdOf } from "../stores/traces/trace-item.ts";
import { endAttributes, startAttributes } from "./attributes-of.ts";
import type { Collector } from "./collector.ts";
import type { ContentRule } from "./content-rule.ts";
import type { Resource } from "./resource-of.ts";
import { hrTime } from "./span-of.ts";

/** What all spans of a trace have in common. */
export type TraceScope = {
  readonly trace_id: string;
  /** The trace that its exported spans are part of. */
  readonly exported_id: string;
  readonly clock: Clock;
  readonly rule: ContentRule;
  /** Share of sampled traces, 0 to 1. The trace id decides, so that every slice of a run decides the same. */
  readonly ratio: number;
  /** Start times of spans that an earlier execution began; epoch milliseconds, by id. */
  readonly begunAt: ReadonlyMap<string, number>;
  readonly collector: Collector;
  readonly resource: Resource;
};

/** Starts the spans of one trace. */
export type Begin = {
  /** Parent of the root span; not a span itself. */
  readonly span: TraceSpan;
  /** Adds a span that another process recorded. */
  readonly replay: (span: Span) => void;
};

/** Uses a tracer provider of its own: span ids are derived from the trace's id, and nothing is global. */
export function beginSpans(scope: TraceScope): Begin {
  let nextId = "";
  const provider = new TracerProvider({
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(scope.ratio) }),
    idGenerator: { generateTraceId: () => scope.trace_id, generateSpanId: () => nextId },
    spanProcessors: [scope.collector],
    resource: scope.resource,
    spanLimits: { attributeCountLimit: 64 },
  });
  const tracer = provider.getTracer("agent-platform");
  // The SDK asks for the id while it starts the span, before anything else can happen.
  const start: StartSpan = (id, ...args) => {
    nextId = id;
    return tracer.startSpan(...args);
  };
  return { span: under(ROOT_CONTEXT, "", start, scope), replay: (span) => replay(span, start, scope) };
}

type StartSpan = (id: string, ...args: Parameters<Tracer["startSpan"]>) => ReturnType<Tracer["startSpan"]>;

const under = (context: Context, path: string, start: StartSpan, scope: TraceScope): TraceSpan => ({
  child: (begun) => begin(begun, context, `${path}/${begun.key}`, start, scope),
  end: () => undefined,
});

function begin(
  begun: SpanStart,
  context: Context,
  path: string,
  start: StartSpan,
  scope: TraceScope,
): TraceSpan {
  const { clock, rule, begunAt } = scope;
  const id = spanIdOf(scope.trace_id, path);
  const startTime = hrTime(begunAt.get(id) ?? clock.now());
  const span = start(id, begun.name, { startTime, attributes: startAttributes(begun, rule) }, context);
  return {
    ...under(trace.setSpan(context, span), path, start, scope),
    traceparent: traceparentOf({ trace_id: scope.exported_id, span_id: id }, span.isRecording()),
    end(ended: SpanEnd = {}) {
      span.setAttributes(endAttributes(ended, rule));
      const { error } = ended;
      if (error === undefined) span.setStatus({ code: SpanStatusCode.OK });
      else span.setStatus({ code: SpanStatusCode.ERROR, message: rule.error(error) });
      span.end(hrTime(clock.now()));
    },
  };
}

function replay(
  { id, parent_id, name, start_ms, end_ms, status, error, attributes }: Span,
  start: StartSpan,
  { trace_id }: TraceScope,
): void {
  const parent = parent_id && { traceId: trace_id, spanId: parent_id, traceFlags: 1 };
  const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
  const span = start(id, name, { startTime: hrTime(start_ms), attributes }, context);
  if (end_ms === undefined) return;
  if (status !== "UNSET") {
    const code = status === "OK" ? SpanStatusCode.OK : SpanStatusCode.ERROR;
    span.setStatus({ code, ...(error !== undefined && { message: error }) });
  }
  span.end(hrTime(end_ms));
}
