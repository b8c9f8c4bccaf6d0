import { type HrTime, type SpanContext, SpanKind, SpanStatusCode, TraceFlags } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import type { ForeignSpan } from "../domain/traceparent.ts";
import { conventionalSpan } from "./conventional-span.ts";
import type { ExportedPlace } from "./exported-trace.ts";
import { OTLP_TIMEOUT_MS, otlpScope } from "./otlp-json.ts";
import type { RecordedSpan } from "./record-spans.ts";

/** The trace that spans are part of where they are exported. */
export type ExportedTrace = ExportedPlace & {
  /** What every span of it has, since readers may look at one alone: whose it is, and of which conversation. */
  readonly common: RecordedSpan["attributes"];
};

/** Sends ended spans of a trace to other endpoints. @throws where one of them refused the spans */
export type ExportSpans = (trace: ExportedTrace, spans: readonly RecordedSpan[]) => Promise<void>;

type Resource = ReadableSpan["resource"];

/**
 * Sends spans by OTLP over HTTP.
 *
 * @param urls     trace endpoints
 * @param from     who has recorded the spans, by OpenTelemetry's names
 * @param showsContent  whether what was said may leave with them
 * @param headers  of each request
 */
export function exportByOtlp(
  urls: readonly string[],
  from: Resource["attributes"],
  showsContent: boolean,
  headers: () => Promise<Record<string, string>>,
): ExportSpans {
  const exporters = urls.map(
    (url) => new OTLPTraceExporter({ url, headers, timeoutMillis: OTLP_TIMEOUT_MS }),
  );
  const resource = resourceOf(from);
  return async (trace, spans) => {
    if (spans.length === 0) return;
    const readable = spans.map((span) => readableSpan(trace, span, { resource, showsContent }));
    await Promise.all(exporters.map((exporter) => send(exporter, readable)));
  };
}

/** A span as the SDK's exporters read it. */
function readableSpan(
  trace: ExportedTrace,
  span: RecordedSpan,
  { resource, showsContent }: { readonly resource: Resource; readonly showsContent: boolean },
): ReadableSpan {
  const { id, parent_id, start_ms, end_ms = start_ms, status, error } = span;
  const { name, kind, attributes } = conventionalSpan(span, showsContent);
  const contextOf = (spanId: string) => ({ traceId: trace.id, spanId, traceFlags: TraceFlags.SAMPLED });
  const isRoot = parent_id === undefined;
  const parent = isRoot ? trace.parent && foreignContext(trace.parent) : contextOf(parent_id);
  return {
    name,
    kind: kind === "client" ? SpanKind.CLIENT : SpanKind.INTERNAL,
    spanContext: () => contextOf(id),
    ...(parent && { parentSpanContext: parent }),
    startTime: hrTime(start_ms),
    endTime: hrTime(end_ms),
    duration: hrTime(end_ms - start_ms),
    ended: true,
    status: { code: SpanStatusCode[status], ...(error !== undefined && { message: error }) },
    attributes: { ...trace.common, ...attributes },
    links: isRoot && trace.link ? [{ context: foreignContext(trace.link) }] : [],
    events: [],
    resource,
    instrumentationScope: otlpScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

const foreignContext = ({ trace_id, span_id }: ForeignSpan): SpanContext => ({
  traceId: trace_id,
  spanId: span_id,
  traceFlags: TraceFlags.SAMPLED,
  isRemote: true,
});

/** An instant or a duration in OpenTelemetry's form; it may misread plain numbers. @param ms milliseconds */
function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}

const resourceOf = (attributes: Resource["attributes"]): Resource => ({
  attributes,
  merge: (other) => (other ? resourceOf({ ...attributes, ...other.attributes }) : resourceOf(attributes)),
  getRawAttributes: () => Object.entries(attributes),
});

const send = (exporter: OTLPTraceExporter, spans: ReadableSpan[]): Promise<void> =>
  new Promise((resolve, reject) => {
    // 0 is the package's code for success.
    exporter.export(spans, ({ code, error }) =>
      code === 0 ? resolve() : reject(error ?? new Error("the spans were not taken")),
    );
  });
