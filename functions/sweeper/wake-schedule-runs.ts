import type { ScheduleQueue } from "../../shared/queue/schedule-queue.ts";
import type { Db } from "../../shared/stores/db.ts";
import { listDueRuns } from "../../shared/stores/schedules/runs/list-due-runs.ts";

/** An attempt that is due for less than this may have a message under way. */
const SETTLING_SECONDS = 5;
/** Attempts of one round and one shard at most; the next round continues. */
const WOKEN_PER_SHARD = 250;

/**
 * Wakes attempts of schedules that are due: their message was lost, or they were due later than a message can be
 * delayed. A message too many does no harm: the second one finds nothing to do.
 *
 * @param now  epoch seconds
 * @returns    how many were woken
 */
export async function wakeScheduleRuns(
  { db, schedules }: { readonly db: Db; readonly schedules: ScheduleQueue },
  now: number,
): Promise<number> {
  const due = await listDueRuns(db, now - SETTLING_SECONDS, WOKEN_PER_SHARD);
  for (const ref of due) await schedules.wake(ref);
  return due.length;
}
