import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { removePartition } from "../remove-partition.ts";
import type { RunAddress } from "./run-address.ts";
import { eventsKey, runKey } from "./run-keys.ts";

/** Removes a run's events and then its record, so that a removal that breaks off is found again by the record. */
export async function removeRun(db: Db, { owner, session_id, run_id }: RunAddress): Promise<void> {
  await removePartition(db, "runs", eventsKey(run_id));
  const Key = runKey(owner, session_id, run_id);
  await db.client.send(new DeleteCommand({ TableName: db.tables.runs, Key }));
}
