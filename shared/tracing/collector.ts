import type { ReadableSpan, SpanProcessor } from "@opentelemetry/sdk-trace";

/** Spans of one execution that are in no table yet. */
export type Collector = SpanProcessor & {
  /** Those that have ended, and those that are under way, in the order in which they began to be so. */
  readonly ended: () => readonly ReadableSpan[];
  readonly open: () => readonly ReadableSpan[];
  /** Forgets spans that were written. */
  readonly forget: (spans: readonly ReadableSpan[]) => void;
};

/** Keeps spans until they are written. A span that begins once more takes the place of what was known of it. */
export function collectSpans(): Collector {
  const ended = new Map<string, ReadableSpan>();
  const open = new Map<string, ReadableSpan>();
  const idOf = (span: ReadableSpan) => span.spanContext().spanId;
  return {
    onStart(span) {
      ended.delete(idOf(span));
      open.set(idOf(span), span);
    },
    onEnd(span) {
      open.delete(idOf(span));
      ended.set(idOf(span), span);
    },
    ended: () => [...ended.values()],
    open: () => [...open.values()],
    forget(spans) {
      for (const span of spans) if (ended.get(idOf(span)) === span) ended.delete(idOf(span));
    },
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  };
}
