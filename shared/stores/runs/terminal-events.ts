import type { UnindexedEvent } from "../../schemas/runs/run-event.ts";
import type { Db } from "../db.ts";
import { type EventBatch, type EventSource, nextEventIndex } from "./events.ts";

/**
 * Tells the end of a run that nobody executes, after all that was told of it.
 *
 * @param attempt  under whose fence it is written
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
