import { type HrTime, SpanStatusCode } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import type { Span } from "../schemas/traces/span.ts";

/** An OpenTelemetry span in its stored form. @param nowMs epoch milliseconds */
export function spanOf(span: ReadableSpan, nowMs: number): Span {
  const { name, status, attributes, parentSpanContext: parent } = span;
  return {
    id: span.spanContext().spanId,
    ...(parent && { parent_id: parent.spanId }),
    name,
    start_ms: millisecondsOf(span.startTime),
    ...(span.ended && { end_ms: millisecondsOf(span.endTime) }),
    seen_ms: nowMs,
    status: statuses[status.code],
    ...(status.message !== undefined && { error: status.message }),
    // All attributes come from `attributes-of.ts`, which sets no other types of values.
    attributes: { ...attributes } as Span["attributes"],
  };
}

const statuses = {
  [SpanStatusCode.UNSET]: "UNSET",
  [SpanStatusCode.OK]: "OK",
  [SpanStatusCode.ERROR]: "ERROR",
} as const;

/** An instant in OpenTelemetry's form; it may misread plain numbers. @param ms epoch milliseconds */
export const hrTime = (ms: number): HrTime => {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
};

const millisecondsOf = ([seconds, nanoseconds]: HrTime): number => seconds * 1000 + nanoseconds / 1e6;
