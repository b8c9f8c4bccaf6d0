import type { Span } from "../../schemas/traces/span.ts";

/** Spans of several writes, each id once: the last one written counts. */
export const mergeSpans = (earlier: readonly Span[], later: readonly Span[]): Span[] => [
  ...new Map([...earlier, ...later].map((span) => [span.id, span])).values(),
];
