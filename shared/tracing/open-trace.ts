import { mergeSpans } from "../domain/traces/merge-spans.ts";
import { expiryOf } from "../domain/traces/retention.ts";
import { sumsOf } from "../domain/traces/sums-of.ts";
import type { RunTrace, Tracing } from "../engine/ports/tracing.ts";
import { type Clock, epochSeconds } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { Span } from "../schemas/traces/span.ts";
import { spanAttributes } from "../schemas/traces/span-attributes.ts";
import type { Db } from "../stores/db.ts";
import type { StoredRun } from "../stores/runs/run-item.ts";
import {
  readTrace,
  type StoredTrace,
  type TraceRead,
  traceIdOf,
  writeSpans,
} from "../stores/traces/index.ts";
import { bestEffort } from "./best-effort.ts";
import type { ContentRule } from "./content-rule.ts";
import type { ExportMetrics } from "./export-metrics.ts";
import type { ExportedTrace, ExportSpans } from "./export-spans.ts";
import { exportedTrace } from "./exported-trace.ts";
import { knownAttributes } from "./known-attributes.ts";
import { type RecordedSpan, recordSpans } from "./record-spans.ts";
import { isSampled } from "./sampled.ts";

export type TraceDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Pick<Log, "error">;
  readonly rule: ContentRule;
  /** Whether exported spans show what a model was shown beside its messages. */
  readonly showsPrompts: boolean;
  /** Share of sampled traces, 0 to 1. The trace id decides. */
  readonly ratio: number;
  readonly retentionDays: number;
  /** Whether a run's exported spans are part of the trace that it was requested in. */
  readonly trustsParent: boolean;
  /** Sends spans to OTLP endpoints; absent where none is set. */
  readonly exportSpans?: ExportSpans;
  /** Sends what they measure; absent unless it is asked for. */
  readonly exportMetrics?: ExportMetrics;
};

/** Characters of spans that a checkpoint may carry; more are written at once. */
const MAX_UNWRITTEN_CHARS = 48_000;
/** Characters of the root's input that lists show. */
const INPUT_CHARS = 500;

type TracedExecution = Parameters<Tracing["open"]>[1];

/**
 * Opens the trace of one execution of a run.
 *
 *   spans end ─▶ recorded ─▶ written when the execution ends, or when there are many
 *                   └──────▶ in each checkpoint until then: a process that dies loses no span of a saved step
 */
export async function openTrace(
  deps: TraceDeps,
  run: StoredRun,
  execution: TracedExecution,
): Promise<RunTrace> {
  const { db, clock, log, rule, showsPrompts, ratio, retentionDays, trustsParent } = deps;
  const trace_id = traceIdOf(run.run_id);
  const ids = { trace_id, run_id: run.run_id };
  const guarded = <T>(work: () => Promise<T>) => bestEffort(work, log, ids);
  const earlier: TraceRead = (execution.resumes &&
    (await guarded(() => readTrace(db, trace_id, run.owner, epochSeconds(clock))))) || {
    trace: undefined,
    spans: [],
    writes: 0,
  };
  const begunAt = startTimes([...earlier.spans, ...execution.unwritten]);
  const exported = {
    ...exportedTrace(run, trustsParent),
    common: commonAttributes(run),
  };
  const sampled = isSampled(trace_id, ratio);
  const scope = { trace_id, exported_id: exported.id, clock, rule, showsPrompts, sampled, begunAt };
  const recorder = recordSpans(scope, execution.unwritten);

  let { spans: known, writes } = earlier;
  let writing: Promise<unknown> | undefined;
  const sending: Promise<unknown>[] = [];
  const writeNow = async (
    ended: readonly RecordedSpan[],
    open: readonly RecordedSpan[],
    isSettled: boolean,
  ) => {
    const now = clock.now();
    const spans = seen([...ended, ...open], now);
    if (spans.length === 0) return;
    const all = mergeSpans(known, spans);
    const start_ms = sumsOf(all)?.start_ms ?? now;
    const expires_at = expiryOf(start_ms, retentionDays);
    const at = {
      ...addressOf(run, trace_id),
      attempt: execution.attempt,
      at_ms: now,
      write: writes,
      expires_at,
    };
    const trace = isSettled
      ? traceOf(run, trace_id, all, earlier.trace?.created_ms ?? now, expires_at)
      : undefined;
    sending.push(
      guarded(async () => deps.exportSpans?.(exported, ended)),
      sendMetrics(deps, ended, ids),
    );
    await guarded(() => writeSpans(db, at, spans, trace));
    known = all;
    writes += 1;
    recorder.remove(ended);
  };
  return {
    span: recorder.span,
    unwritten() {
      const now = clock.now();
      const spans = seen([...recorder.ended(), ...recorder.open()], now);
      if (writing === undefined && charsOf(spans) > MAX_UNWRITTEN_CHARS) {
        writing = writeNow(recorder.ended(), [], false).finally(() => {
          writing = undefined;
        });
      }
      return spans;
    },
    async write(isSettled) {
      await writing;
      await writeNow(recorder.ended(), recorder.open(), isSettled);
    },
    async sent() {
      await Promise.all(sending);
    },
  };
}

/** What an endpoint does not take is dropped, and counted. */
async function sendMetrics(
  { exportMetrics, clock, log }: TraceDeps,
  ended: readonly RecordedSpan[],
  ids: Readonly<Record<string, unknown>>,
): Promise<void> {
  try {
    await exportMetrics?.(ended, clock.now());
  } catch (error) {
    log.error("metrics of a run were not taken", { ...ids, error, otlp_metric_faults: 1 });
  }
}

const commonAttributes = ({ session_id, owner }: StoredRun): ExportedTrace["common"] =>
  knownAttributes({
    [spanAttributes.conversation]: session_id,
    [spanAttributes.session]: session_id,
    [spanAttributes.user]: owner ?? undefined,
  });

const seen = (spans: readonly RecordedSpan[], seen_ms: number): Span[] =>
  spans.map(({ exported: _, ...span }) => ({ ...span, seen_ms }));

/** Start times of spans that continue. The root spans all attempts; other ended spans start again. */
const startTimes = (spans: readonly Span[]): Map<string, number> =>
  new Map(
    spans
      .filter(({ end_ms, parent_id }) => end_ms === undefined || parent_id === undefined)
      .map(({ id, start_ms }) => [id, start_ms]),
  );

const charsOf = (spans: readonly Span[]): number =>
  spans.reduce((sum, span) => sum + JSON.stringify(span).length, 0);

const addressOf = ({ owner, session_id }: StoredRun, trace_id: string) => ({
  trace_id,
  user_id: owner,
  session_id,
});

function traceOf(
  run: StoredRun,
  trace_id: string,
  spans: readonly Span[],
  created_ms: number,
  expires_at: number,
): StoredTrace | undefined {
  const sums = sumsOf(spans);
  const root = spans.find(({ parent_id }) => parent_id === undefined);
  if (!sums || !root) return undefined;
  const input = root.attributes[spanAttributes.input];
  return {
    ...addressOf(run, trace_id),
    ...sums,
    name: root.name,
    created_ms,
    ...(typeof input === "string" && { input: input.slice(0, INPUT_CHARS) }),
    run_id: run.run_id,
    [`${run.component_type}_id`]: run.component_id,
    expires_at,
  };
}
