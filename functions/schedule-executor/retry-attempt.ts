import { epochSeconds } from "../../shared/runtime/clock.ts";
import {
  callingRun,
  openNextAttempt,
  type StoredSchedule,
  type StoredScheduleRun,
  scheduleRunUpdate,
} from "../../shared/stores/schedules/index.ts";
import { callAndRecord } from "./call-and-record.ts";
import { endSlot } from "./end-attempt.ts";
import type { ExecutorDeps, Step } from "./executor-deps.ts";

/**
 * Starts the attempt after a failed one and passes the turn to it. A schedule that was disabled since then is not
 * retried.
 */
export async function retryAttempt(
  deps: ExecutorDeps,
  schedule: StoredSchedule,
  run: StoredScheduleRun,
): Promise<Step> {
  if (!schedule.enabled) return endSlot(deps, run, "endRetryWait", {});
  const { schedule_id, slot, due_at, holds_turn } = run;
  const now = epochSeconds(deps.clock);
  const attempt = { schedule_id, slot, attempt: run.attempt + 1, at: due_at ?? now };
  const next = { ...callingRun(schedule, attempt, now), ...(holds_turn && { holds_turn }) };
  const endOfFailed = scheduleRunUpdate(run, "endRetryWait", { next: next.id, holds_turn: undefined });
  const started = await openNextAttempt(deps.db, next, endOfFailed);
  return started ? callAndRecord(deps, schedule, next) : "done";
}
