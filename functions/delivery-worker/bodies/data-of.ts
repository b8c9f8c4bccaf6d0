import type { Db } from "../../../shared/stores/db.ts";
import type { StoredEvent } from "../../../shared/stores/outbox/index.ts";
import { changeData } from "./change-data.ts";
import { type BodyOptions, runData } from "./run-data.ts";

/**
 * What is said of an event, whoever receives it. What was said in a run is read from its record now: the outbox holds none of
 * it, and after the run is deleted nothing of it is sent.
 *
 * @param now  epoch seconds
 * @returns    undefined when what it is about was deleted
 */
export async function dataOf(
  db: Db,
  event: StoredEvent,
  options: BodyOptions,
  now: number,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (event.run) return runData(db, event, event.run, options, now);
  if (event.change) return changeData(event, event.change);
  return { endpoint_id: event.endpoint_id };
}
