import type { ScheduleRunRef } from "../schemas/schedules/schedule-run.ts";
import type { ScheduleQueue } from "./schedule-queue.ts";

/**
 * The sweeper sends the wake-up of an attempt this long before it is due: more than the minute between two rounds, so
 * that a round sees it in time. What is due earlier is sent by whoever records when it is due.
 */
export const AHEAD_SECONDS = 90;
/** The clocks of two functions may differ by this; a wake-up that came too early would find nothing to do. */
const SKEW_SECONDS = 1;

/**
 * Sends a wake-up that comes when the attempt is due, to the second.
 *
 * @param due_at  epoch seconds, at most `AHEAD_SECONDS` from now
 * @param now     epoch seconds
 */
export const wakeWhenDue = (
  queue: ScheduleQueue,
  ref: ScheduleRunRef,
  due_at: number,
  now: number,
): Promise<void> => queue.wake(ref, due_at > now ? Math.ceil(due_at - now) + SKEW_SECONDS : 0);
