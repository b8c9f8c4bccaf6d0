import { type Clock, epochSeconds } from "../runtime/clock.ts";
import type { RunStatus } from "../schemas/runs/run.ts";
import type { RecordedEvent } from "../schemas/runs/run-event.ts";
import type { Db } from "../stores/db.ts";
import { type EventCursor, type EventsRead, readEvents } from "../stores/runs/events.ts";
import { getRunHead } from "../stores/runs/get-run.ts";
import type { StoredRun } from "../stores/runs/run-item.ts";
import type { RunAddress } from "../stores/runs/run-keys.ts";

const FIRST_WAIT_MS = 15;
const LONGEST_WAIT_MS = 500;

const settled: ReadonlySet<RunStatus> = new Set(["COMPLETED", "PAUSED", "CANCELLED", "ERROR", "REGENERATED"]);

/** Whether a run writes no further events, unless it is continued. */
export const isSettled = ({ status }: { readonly status: RunStatus }): boolean => settled.has(status);

/** The events of a run up to a moment; whole where it had ended or paused before they were read. */
export type ReadBefore = EventsRead & { readonly isWhole: boolean };

/** Reads them. @param run  its record, read before its events: none are written after it has ended or paused */
export async function readBefore(db: Db, run: StoredRun): Promise<ReadBefore> {
  return { ...(await readEvents(db, run)), isWhole: isSettled(run) };
}

/**
 * The events of a run as they are recorded, from its first one or a later one on, until the run ends or pauses. Reads
 * the record, so it works in any process and after any restart; polls at growing intervals while nothing happens.
 *
 * @param before  what the caller has read already, so that it is not read again
 * @param voided  called before the next event where a new attempt repeats those from an index on, which are void then; repeated events
 *                are sent again only where this is given
 */
export async function* followRun(
  db: Db,
  at: RunAddress,
  clock: Clock,
  signal: AbortSignal,
  from = 0,
  before?: ReadBefore,
  voided?: (from: number) => void,
): AsyncGenerator<RecordedEvent> {
  for (const event of before?.events ?? []) if (event.event_index >= from) yield event;
  if (before?.isWhole) return;
  let cursor: EventCursor = before?.cursor;
  let waitMs = FIRST_WAIT_MS;
  let lastIndex = Math.max(from, (before?.events.at(-1)?.event_index ?? -1) + 1) - 1;
  while (!signal.aborted) {
    // The status is read first: no events are written after the record has ended or paused.
    const run = await getRunHead(db, at, epochSeconds(clock));
    const read = await readEvents(db, run ?? at, cursor);
    cursor = read.cursor;
    if (voided && read.voidFrom !== undefined && read.voidFrom <= lastIndex) {
      lastIndex = Math.max(from, read.voidFrom) - 1;
      voided(read.voidFrom);
    }
    for (const event of read.events) {
      if (event.event_index <= lastIndex) continue;
      lastIndex = event.event_index;
      yield event;
    }
    if (!run || isSettled(run)) return;
    waitMs = read.events.length > 0 ? FIRST_WAIT_MS : Math.min(waitMs * 1.5, LONGEST_WAIT_MS);
    await clock.sleep(waitMs, signal).catch(() => undefined);
  }
}
