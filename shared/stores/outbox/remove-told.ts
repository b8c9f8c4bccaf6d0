import type { Db } from "../db.ts";
import { removePartition } from "../remove-partition.ts";
import { subjectPartition } from "./outbox-keys.ts";

/** Removes the events of a run and their deliveries: an answer of a receiver may repeat what was said. */
export const removeToldOfRun = async (db: Db, runId: string): Promise<void> => {
  await removePartition(db, "outbox", subjectPartition({ kind: "run", id: runId }));
};
