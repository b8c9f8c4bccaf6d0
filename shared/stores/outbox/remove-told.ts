import type { Db } from "../db.ts";
import { removePartition } from "../remove-partition.ts";
import { subjectPartition } from "./outbox-keys.ts";

/** Removes the events of a run and of its job, and their deliveries: an answer of a receiver may repeat what was said. */
export const removeToldOfRun = async (db: Db, runId: string): Promise<void> => {
  for (const kind of ["run", "job"] as const)
    await removePartition(db, "outbox", subjectPartition({ kind, id: runId }));
};
