import { updateItem, write } from "../../data/index.ts";
import type { JobStatus } from "../../schemas/queue/queue-job.ts";
import type { Db } from "../db.ts";
import { jobKey, statusShard } from "./job-keys.ts";

/**
 * Puts a job into the partition of the index where the present setting has it.
 *
 * @param from  the partition in which it was found
 * @returns     false when the job has left that partition meanwhile
 */
export async function moveIndexRow(db: Db, id: string, status: JobStatus, from: string): Promise<boolean> {
  const set = { status_shard: statusShard(db, status, id) };
  const moved = await write(db, updateItem("jobs", jobKey(id), { set, guard: { status_shard: from } }));
  return moved.written;
}
