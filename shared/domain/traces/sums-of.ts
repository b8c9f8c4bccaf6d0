import type { Span } from "../../schemas/traces/span.ts";

/** The sums over its spans that a trace shows. */
export type SpanSums = {
  readonly start_ms: number;
  readonly end_ms: number;
  readonly status: "OK" | "ERROR";
  readonly total_spans: number;
  readonly error_count: number;
};

/**
 * Sums over all spans of a trace.
 *
 * @returns undefined if there are none
 * @source  docs/interface/traces.md 3.1
 */
export function sumsOf(spans: readonly Span[]): SpanSums | undefined {
  if (spans.length === 0) return undefined;
  const error_count = spans.filter(({ status }) => status === "ERROR").length;
  return {
    start_ms: spans.reduce((least, { start_ms }) => Math.min(least, start_ms), Number.POSITIVE_INFINITY),
    end_ms: spans.reduce((most, span) => Math.max(most, lastSeen(span)), 0),
    status: error_count > 0 ? "ERROR" : "OK",
    total_spans: spans.length,
    error_count,
  };
}

/** When a span ended, or was last seen running; epoch milliseconds. */
export const lastSeen = ({ end_ms, seen_ms }: Span): number => end_ms ?? seen_ms;
