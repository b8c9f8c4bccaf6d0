import { planAttemptRetry } from "../../shared/domain/jobs/plan-retry-of-attempt.ts";
import type { AttemptFailure } from "../../shared/domain/schedules/call-answer.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import {
  AHEAD_SECONDS,
  type EndingMove,
  endScheduleRun,
  moveScheduleRun,
  refOf,
  type ScheduleRunChange,
  type StoredSchedule,
  type StoredScheduleRun,
  scheduleRunWork,
} from "../../shared/stores/schedules/index.ts";
import { delayUntil } from "../../shared/work/index.ts";
import type { ExecutorDeps, Step } from "./executor-deps.ts";

/** Ends a slot and wakes the one that waits behind it. */
export async function endSlot(
  deps: ExecutorDeps,
  run: StoredScheduleRun,
  move: EndingMove,
  change: ScheduleRunChange,
): Promise<Step> {
  const now = epochSeconds(deps.clock);
  const completed = move === "pause" || move === "endRetryWait" ? {} : { completed_at: now };
  const result = await endScheduleRun(deps.db, run, move, { ...completed, ...change }, now);
  if (!result.ended) return refOf(run);
  if (result.next) await wakeAt(deps, result.next, now);
  return "done";
}

/** Ends an attempt that failed: for good, or until the next one. */
export async function failAttempt(
  deps: ExecutorDeps,
  schedule: StoredSchedule,
  run: StoredScheduleRun,
  failure: AttemptFailure & ScheduleRunChange,
): Promise<Step> {
  const plan = planAttemptRetry(run, schedule);
  if (!plan.retry) return endSlot(deps, run, "fail", failure);
  const now = epochSeconds(deps.clock);
  const due_at = now + plan.after_seconds;
  const waits = await moveScheduleRun(deps.db, run, "failAndRetry", {
    ...failure,
    completed_at: now,
    due_at,
  });
  if (!waits) return refOf(run);
  await wakeAt(deps, run, due_at);
  return "done";
}

/**
 * Sends a wake-up for the time at which an attempt is due, unless that is so far away that the sweeper sends it. Best
 * effort: the attempt is due by its record, and the sweeper wakes it too.
 *
 * @param due_at  epoch seconds
 */
export async function wakeAt(deps: ExecutorDeps, run: StoredScheduleRun, due_at: number): Promise<void> {
  const now = epochSeconds(deps.clock);
  if (due_at - now > AHEAD_SECONDS) return;
  const queue = { send: deps.queue.wake };
  await scheduleRunWork.wake({ ...deps, queue }, refOf(run), delayUntil(due_at, now));
}
