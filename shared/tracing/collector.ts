import type { ReadableSpan, SpanProcessor } from "@opentelemetry/sdk-trace";

/** The unwritten spans of one execution. */
export type Collector = SpanProcessor & {
  /** Ended spans in the order of their ends, and open ones in the order of their starts. */
  readonly ended: () => readonly ReadableSpan[];
  readonly open: () => readonly ReadableSpan[];
  /** Removes spans that were written. */
  readonly remove: (spans: readonly ReadableSpan[]) => void;
};

/** Collects spans until they are written. A span that starts again replaces its earlier version. */
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
    remove(spans) {
      for (const span of spans) if (ended.get(idOf(span)) === span) ended.delete(idOf(span));
    },
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  };
}
