import { deleteItem, write } from "../../data/index.ts";
import type { Db } from "../db.ts";
import { removePartition } from "../remove-partition.ts";
import { eventsKey, type RunAddress, runKey } from "./run-keys.ts";

/** Removes a run's events and then its record, so that a removal that breaks off is found again by the record. */
export async function removeRun(db: Db, { owner, session_id, run_id }: RunAddress): Promise<void> {
  await removePartition(db, "runs", eventsKey(run_id));
  await write(db, deleteItem("runs", runKey(owner, session_id, run_id)));
}
