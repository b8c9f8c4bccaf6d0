import type { Clock } from "../runtime/clock.ts";
import type { RecordedEvent, UnindexedEvent } from "../schemas/runs/run-event.ts";
import type { EventBatch } from "../stores/runs/events.ts";

/** Longest time that an event waits for company before it is written. */
const FLUSH_AFTER_MS = 250;
/** Size of a batch, as JSON text, that is written at once; packed, it is far below what one item may hold. */
const FLUSH_AT_CHARS = 256_000;
/** About what an event's fields take beside its content. */
const CHARS_OF_FIELDS = 320;

export type RecordStart = {
  readonly run_id: string;
  readonly attempt: number;
  readonly nextIndex: number;
  readonly startsOver: boolean;
  readonly resumes?: { readonly voidsFrom: number; readonly untold: readonly RecordedEvent[] };
};

export type EventRecorder = {
  /** Numbers an event and keeps it for the record. */
  readonly record: (event: UnindexedEvent) => RecordedEvent;
  /** What a checkpoint has to say of the events so far: the next one's index, and those that may not be written yet. */
  readonly progress: () => { readonly next_index: number; readonly untold: readonly RecordedEvent[] };
  /**
   * Waits for what is being written and hands over the rest, for the transaction that ends the execution.
   *
   * @throws what made an earlier write fail
   */
  readonly drain: () => Promise<EventBatch>;
};

/**
 * Keeps the record of one execution: numbers its events without gaps, gathers several into one item, and writes
 * them in order, one write at a time.
 *
 * @param start.nextIndex   index of the first event
 * @param start.startsOver  whether what was told before is to be forgotten
 * @param start.resumes     what was told from an index on is to be forgotten, and these events before it still to be told
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
  let timer: AbortController | undefined;
  let writing: Promise<void> = Promise.resolve();

  const take = (): EventBatch => {
    timer?.abort();
    timer = undefined;
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
    const batch = take();
    writes.add(batch.events);
    writing = writing.then(() => write(batch)).then(() => void writes.delete(batch.events));
    // A failure is met when the execution ends, where it can still fail the run.
    writing.catch(() => undefined);
  };
  const flushLater = () => {
    timer = new AbortController();
    clock.sleep(FLUSH_AFTER_MS, timer.signal).then(flush, () => undefined);
  };

  return {
    record(event) {
      const recorded = { ...event, event_index: nextIndex++ };
      const chars = CHARS_OF_FIELDS + charsOf("content" in event ? event.content : undefined);
      // Before, not after: the newest event stays back, so that the last one travels with the run's end.
      if (pending.length > 0 && pendingChars + chars > FLUSH_AT_CHARS) flush();
      pending.push(recorded);
      pendingChars += chars;
      if (!timer) flushLater();
      return recorded;
    },
    progress: () => ({ next_index: nextIndex, untold: [...[...writes].flat(), ...pending] }),
    async drain() {
      const rest = take();
      await writing;
      return rest;
    },
  };
}

/** Answers of an asked shape are values; all other content is text. */
const charsOf = (content: unknown): number =>
  typeof content === "string" ? content.length : (JSON.stringify(content)?.length ?? 0);
