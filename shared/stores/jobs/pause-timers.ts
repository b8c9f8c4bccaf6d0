import { deleteItem, putItem, type Write, write } from "../../data/index.ts";
import { type Db, queryPages } from "../db.ts";
import { pauseTimerKey, pauseTimerShards } from "./job-keys.ts";

/** A timer is kept this long after it was due; the job has expired before. */
const RETENTION_SECONDS = 30 * 86_400;

/** When a paused job that is not answered is processed. */
export type PauseTimer = { readonly job_id: string /** Epoch seconds. */; readonly due_at: number };

/** The write that sets a timer, in the transaction of the pause that needs it. */
export const putPauseTimer = ({ job_id, due_at }: PauseTimer): Write =>
  putItem("jobs", {
    ...pauseTimerKey(job_id, due_at),
    job_id,
    due_at,
    expires_at: due_at + RETENTION_SECONDS,
  });

/** Timers that are due. @param now epoch seconds @param most about how many at most */
export async function listDuePauseTimers(db: Db, now: number, most: number): Promise<PauseTimer[]> {
  const due: PauseTimer[] = [];
  for (const pk of pauseTimerShards()) {
    const pages = queryPages(db, {
      TableName: db.tables.jobs,
      KeyConditionExpression: "pk = :pk AND sk < :after",
      ExpressionAttributeValues: { ":pk": pk, ":after": pauseTimerKey("", now + 1).sk },
      Limit: most,
      ConsistentRead: true,
    });
    for await (const { Items = [] } of pages) {
      due.push(...Items.map(({ job_id, due_at }) => ({ job_id: String(job_id), due_at: Number(due_at) })));
      if (due.length >= most) return due;
    }
  }
  return due;
}

export async function removePauseTimer(db: Db, { job_id, due_at }: PauseTimer): Promise<void> {
  await write(db, deleteItem("jobs", pauseTimerKey(job_id, due_at)));
}
