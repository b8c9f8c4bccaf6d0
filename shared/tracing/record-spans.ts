import { traceparentOf } from "../domain/traceparent.ts";
import type { SpanStart, TraceSpan } from "../engine/ports/tracing.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Span } from "../schemas/traces/span.ts";
import { spanIdOf } from "../stores/traces/index.ts";
import { endAttributes, promptAttributes, startAttributes } from "./attributes-of.ts";
import type { ContentRule } from "./content-rule.ts";

/** What all spans of a trace have in common. */
export type TraceScope = {
  readonly trace_id: string;
  /** The trace that its exported spans are part of. */
  readonly exported_id: string;
  readonly clock: Clock;
  readonly rule: ContentRule;
  /** Whether exported spans show what a model was shown beside its messages. */
  readonly showsPrompts?: boolean;
  /** Whether spans are recorded: every slice of a run decides the same. */
  readonly sampled: boolean;
  /** Start times of spans that an earlier execution began; epoch milliseconds, by id. */
  readonly begunAt: ReadonlyMap<string, number>;
};

/** A span that is not written yet. */
export type RecordedSpan = Omit<Span, "seen_ms"> & {
  /** What is exported beside the attributes and never stored: the prompt would be in every model call of a trace. */
  readonly exported?: Span["attributes"];
};

/** Records the spans of one execution until they are written. */
export type SpanRecorder = {
  /** Parent of the root span; not a span itself. */
  readonly span: TraceSpan;
  /** Ended spans in the order of their ends, and open ones in the order of their starts. */
  readonly ended: () => readonly RecordedSpan[];
  readonly open: () => readonly RecordedSpan[];
  /** Removes spans that were written. */
  readonly remove: (spans: readonly RecordedSpan[]) => void;
};

/**
 * Records spans in their stored form. The id of a span is derived from the trace's id and its place: one that starts again
 * replaces its earlier version.
 *
 * @param replayed  spans that another process recorded
 */
export function recordSpans(scope: TraceScope, replayed: readonly Span[]): SpanRecorder {
  const ended = new Map<string, RecordedSpan>();
  const open = new Map<string, RecordedSpan>();
  for (const { seen_ms: _, ...span } of replayed)
    (span.end_ms === undefined ? open : ended).set(span.id, span);
  const traceparent = (span_id: string) =>
    traceparentOf({ trace_id: scope.exported_id, span_id }, scope.sampled);
  /** What is below a span that is not recorded; it is still named to others, as not sampled. */
  const unrecorded = (path: string): Pick<TraceSpan, "child" | "end"> => ({
    child: ({ key }) => {
      const place = `${path}/${key}`;
      return { ...unrecorded(place), traceparent: traceparent(spanIdOf(scope.trace_id, place)) };
    },
    end: () => undefined,
  });
  const under = (parent_id: string | undefined, path: string): Pick<TraceSpan, "child"> => ({
    child: (start) => begin(start, parent_id, `${path}/${start.key}`),
  });
  const begin = (start: SpanStart, parent_id: string | undefined, path: string): TraceSpan => {
    const { trace_id, clock, rule, showsPrompts, begunAt } = scope;
    const id = spanIdOf(trace_id, path);
    const span: RecordedSpan = {
      id,
      ...(parent_id !== undefined && { parent_id }),
      name: start.name,
      start_ms: begunAt.get(id) ?? clock.now(),
      status: "UNSET",
      attributes: startAttributes(start, rule),
      ...(showsPrompts && start.prompt && { exported: promptAttributes(start.prompt(), rule) }),
    };
    ended.delete(id);
    open.set(id, span);
    return {
      ...under(id, path),
      traceparent: traceparent(id),
      end(end = {}) {
        // Only the first end of a span counts, and none of a span that has started again.
        if (open.get(id) !== span) return;
        open.delete(id);
        const { error } = end;
        ended.set(id, {
          ...span,
          // Clocks may be set back.
          end_ms: Math.max(span.start_ms, clock.now()),
          status: error === undefined ? "OK" : "ERROR",
          ...(error !== undefined && { error: rule.error(error) }),
          attributes: { ...span.attributes, ...endAttributes(end, rule) },
        });
      },
    };
  };
  return {
    span: scope.sampled ? { ...under(undefined, ""), end: () => undefined } : unrecorded(""),
    ended: () => [...ended.values()],
    open: () => [...open.values()],
    remove(spans) {
      for (const span of spans) if (ended.get(span.id) === span) ended.delete(span.id);
    },
  };
}
