import { backOff } from "../data/index.ts";
import { conflictEvent, type EventSource, isEndOf } from "./runs/event-base.ts";
import type { EventBatch } from "./runs/events.ts";

/** Of concurrent writers of one item, at least one succeeds with every try. */
const TRIES = 8;

/**
 * Reads, decides and writes, and repeats that after a lost race, with a growing wait.
 *
 * @param tryOnce  undefined after a lost race
 * @param gaveUp   the error after the last try
 */
export async function retryUntilWritten<T>(
  tryOnce: () => Promise<T | undefined>,
  gaveUp: () => Error,
  tries = TRIES,
): Promise<T> {
  for (let tryNumber = 1; tryNumber <= tries; tryNumber += 1) {
    const written = await tryOnce();
    if (written !== undefined) return written;
    await backOff(tryNumber);
  }
  throw gaveUp();
}

/**
 * The last events of a run with one before its end that names the keys of the session's state which it replaces; the same
 * events where there are none.
 *
 * @param now  epoch seconds
 */
export function withConflicts(
  batch: EventBatch,
  run: EventSource,
  keys: readonly string[],
  now: number,
): EventBatch {
  const at = batch.events.findIndex((event) => isEndOf(run.run_id, event));
  const end = batch.events[at];
  if (keys.length === 0 || !end) return batch;
  const conflict = { ...conflictEvent(run, now, keys), event_index: end.event_index };
  const later = batch.events.slice(at).map((event) => ({ ...event, event_index: event.event_index + 1 }));
  return { ...batch, events: [...batch.events.slice(0, at), conflict, ...later] };
}
