import type { Db } from "../db.ts";
import { removePartition } from "../remove-partition.ts";
import { partitionsOfRun } from "./outbox-keys.ts";

/** Removes the events of a run and of its job, and their deliveries: an answer of a receiver may repeat what was said. */
export const removeOutboxOfRun = async (db: Db, runId: string): Promise<void> => {
  for (const partition of partitionsOfRun(runId)) await removePartition(db, "outbox", partition);
};
