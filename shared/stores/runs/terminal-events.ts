import type { UnindexedEvent } from "../../schemas/runs/run-event.ts";
import type { Db } from "../db.ts";
import { type EventBatch, type EventSource, nextEventIndex } from "./events.ts";

/**
 * The terminal event of a run that is not being executed, with the index after its last event.
 *
 * @param attempt  the fencing token with which it is written
 */
export async function terminalEvents(
  db: Db,
  run: EventSource,
  attempt: number,
  event: UnindexedEvent,
): Promise<EventBatch> {
  const event_index = await nextEventIndex(db, run);
  return { run_id: run.run_id, attempt, startsOver: false, events: [{ ...event, event_index }] };
}
