import type { ScheduleQueue } from "../../shared/queue/schedule-queue.ts";
import { AHEAD_SECONDS, wakeWhenDue } from "../../shared/queue/wake-schedule-run.ts";
import type { Db } from "../../shared/stores/db.ts";
import { listDueRuns } from "../../shared/stores/schedules/runs/list-due-runs.ts";

/** An attempt that is due for less than this may have a message under way. */
const SETTLING_SECONDS = 5;
/** Attempts of one round and one shard at most; the next round continues. */
const WOKEN_PER_SHARD = 250;

/**
 * Wakes attempts of schedules that are due, whose message was lost; and those that will be due soon after the next round,
 * with a message that is delayed until then. So a limit of time is noticed within seconds although a round comes once a
 * minute. A message too many does no harm: the second one finds nothing to do.
 *
 * @param now  epoch seconds
 * @returns    how many were woken
 */
export async function wakeScheduleRuns(
  { db, schedules }: { readonly db: Db; readonly schedules: ScheduleQueue },
  now: number,
): Promise<number> {
  const soon = await listDueRuns(db, now + AHEAD_SECONDS, WOKEN_PER_SHARD);
  const woken = soon.filter(({ due_at }) => due_at <= now - SETTLING_SECONDS || due_at > now);
  for (const { ref, due_at } of woken) await wakeWhenDue(schedules, ref, due_at, now);
  return woken.length;
}
