import { after, type Clock } from "../runtime/clock.ts";
import type { RecordedEvent, UnindexedEvent } from "../schemas/runs/run-event.ts";
import type { EventBatch } from "../stores/runs/events.ts";

/** Longest time that an event waits to be written in one batch with later ones. */
const FLUSH_AFTER_MS = 250;
/** Size of a batch, as JSON text, that is written at once; packed, it is far below what one item may hold. */
const FLUSH_AT_CHARS = 256_000;
/** Approximate size of an event's fields beside its content. */
const CHARS_OF_FIELDS = 320;

export type RecordStart = {
  readonly run_id: string;
  readonly attempt: number;
  readonly nextIndex: number;
  readonly startsOver: boolean;
  readonly resumes?: { readonly voidsFrom: number; readonly untold: readonly RecordedEvent[] };
};

export type EventRecorder = {
  /** Numbers an event and buffers it for the record. */
  readonly record: (event: UnindexedEvent) => RecordedEvent;
  /**
   * Keeps events from being written until it is known whether the text of a run may be stored.
   *
   * @returns `release` stores them as they are, `withhold` without the text since; the first call decides
   */
  readonly hold: (run_id: string) => { readonly release: () => void; readonly withhold: () => void };
  /** For a checkpoint: the index of the next event, and the events that may not be written yet. */
  readonly progress: () => { readonly next_index: number; readonly untold: readonly RecordedEvent[] };
  /**
   * Waits for writes in progress and returns the rest, for the transaction that ends the execution.
   *
   * @throws the error of an earlier write
   */
  readonly drain: () => Promise<EventBatch>;
};

/**
 * Records the events of one execution: numbers them without gaps, puts several into one item, and writes the items in
 * order, one write at a time.
 *
 * @param start.nextIndex   index of the first event
 * @param start.startsOver  whether events recorded before become void
 * @param start.resumes     events from `voidsFrom` on become void; the `untold` ones before it still have to be written
 * @param write             appends one batch
 */
export function createEventRecorder(
  start: RecordStart,
  write: (batch: EventBatch) => Promise<void>,
  clock: Clock,
): EventRecorder {
  let nextIndex = start.nextIndex;
  let pending: RecordedEvent[] = [...(start.resumes?.untold ?? [])];
  const writes = new Set<readonly RecordedEvent[]>();
  let pendingChars = 0;
  let { startsOver } = start;
  let voidsFrom = start.resumes?.voidsFrom;
  let stopTimer: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();
  const holds = new Set<Hold>();

  const takeBatch = (): EventBatch => {
    stopTimer?.();
    stopTimer = undefined;
    const batch = {
      run_id: start.run_id,
      attempt: start.attempt,
      startsOver,
      ...(voidsFrom !== undefined && { voidsFrom }),
      events: pending,
    };
    pending = [];
    pendingChars = 0;
    startsOver = false;
    voidsFrom = undefined;
    return batch;
  };
  const flush = () => {
    if (holds.size > 0) return;
    const batch = takeBatch();
    writes.add(batch.events);
    writing = writing.then(() => write(batch)).then(() => void writes.delete(batch.events));
    // A failure is thrown when the execution ends, where it can still fail the run.
    writing.catch(() => undefined);
  };
  const flushLater = () => {
    stopTimer = after(clock, FLUSH_AFTER_MS, () => {
      stopTimer = undefined;
      flush();
    });
  };

  return {
    record(event) {
      const recorded = { ...event, event_index: nextIndex++ };
      const chars = CHARS_OF_FIELDS + charsOf("content" in event ? event.content : undefined);
      // Flushed before the push: the newest event stays buffered, so that the last one is written with the run's end.
      if (pending.length > 0 && pendingChars + chars > FLUSH_AT_CHARS) flush();
      pending.push(recorded);
      pendingChars += chars;
      if (!stopTimer) flushLater();
      return recorded;
    },
    hold(run_id) {
      const hold = { run_id, from: nextIndex };
      holds.add(hold);
      const end = (isWithheld: boolean) => () => {
        if (!holds.delete(hold)) return;
        if (isWithheld) pending = pending.map((event) => withoutText(event, hold));
        if (holds.size === 0 && pendingChars > FLUSH_AT_CHARS) flush();
        else if (pending.length > 0 && !stopTimer) flushLater();
      };
      return { release: end(false), withhold: end(true) };
    },
    progress: () => ({
      next_index: nextIndex,
      untold: [...[...writes].flat(), ...withoutHeld(pending, holds)],
    }),
    async drain() {
      const rest = takeBatch();
      await writing;
      return rest;
    },
  };
}

const withoutHeld = (events: readonly RecordedEvent[], holds: ReadonlySet<Hold>): readonly RecordedEvent[] =>
  [...holds].reduce((left, hold) => left.map((one) => withoutText(one, hold)), events);

/** Text of a run from an event on that may not be stored yet. */
type Hold = { readonly run_id: string; readonly from: number };

function withoutText(event: RecordedEvent, { run_id, from }: Hold): RecordedEvent {
  if (event.event !== "RunContent" && event.event !== "TeamRunContent") return event;
  if (event.run_id !== run_id || event.event_index < from) return event;
  return { ...event, content: "", reasoning_content: "" };
}

/** Structured answers are values; all other content is text. */
const charsOf = (content: unknown): number =>
  typeof content === "string" ? content.length : (JSON.stringify(content)?.length ?? 0);
