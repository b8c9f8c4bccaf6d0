import { planDueRun } from "../../shared/domain/schedules/plan-due-run.ts";
import { scheduleCall } from "../../shared/domain/schedules/schedule-call.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { ScheduleRunRef } from "../../shared/schemas/schedules/schedule-run.ts";
import { getSchedule } from "../../shared/stores/schedules/get-schedule.ts";
import { getScheduleRun } from "../../shared/stores/schedules/runs/get-schedule-run.ts";
import { moveScheduleRun } from "../../shared/stores/schedules/runs/move-run.ts";
import { CALL_LEASE_SECONDS } from "../../shared/stores/schedules/runs/new-run.ts";
import type { StoredScheduleRun } from "../../shared/stores/schedules/runs/run-item.ts";
import type { StoredSchedule } from "../../shared/stores/schedules/schedule-item.ts";
import { callAndRecord } from "./call-and-record.ts";
import { completeAttempt } from "./complete-attempt.ts";
import { endSlot, failAttempt } from "./end-attempt.ts";
import type { ExecutorDeps, Step } from "./executor-deps.ts";
import { retryAttempt } from "./retry-attempt.ts";

/** Somebody else was there in between each time; the record is due, so nothing is lost by giving up. */
const LOOKS = 10;

/**
 * Does what an attempt needs now, if anything. Any message, however late or often it comes, may call this: every step is
 * a write that depends on what was seen, so of two who do the same one does it.
 *
 * @throws on a fault of the store or the network: the message comes back
 */
export async function processDueRun(deps: ExecutorDeps, ref: ScheduleRunRef): Promise<void> {
  let step: Step = ref;
  for (let look = 0; look < LOOKS && step !== "done"; look += 1) step = await processOnce(deps, step);
}

async function processOnce(deps: ExecutorDeps, ref: ScheduleRunRef): Promise<Step> {
  const now = epochSeconds(deps.clock);
  const [run, schedule] = await Promise.all([
    getScheduleRun(deps.db, ref, now),
    getSchedule(deps.db, ref.schedule_id),
  ]);
  if (!run || !schedule) return "done";
  const { kind } = scheduleCall(schedule, run.id);
  switch (planDueRun(run, kind, schedule.timeout_seconds, now)) {
    case "none":
      return "done";
    case "call":
      return takeCall(deps, schedule, run);
    case "in_doubt":
      return failAttempt(deps, schedule, run, { status_code: null, error: IN_DOUBT });
    case "settle":
      return completeAttempt(deps, schedule, run);
    case "time_out":
      return failAttempt(deps, schedule, run, timedOut(schedule, run));
    case "retry":
      return retryAttempt(deps, schedule, run);
  }
}

const IN_DOUBT =
  "The call was begun and its answer was lost. It may have done what it was for, so it was not made again.";

function timedOut({ timeout_seconds }: StoredSchedule, { run_id }: StoredScheduleRun) {
  const error =
    run_id === null
      ? `timed out: the run could not be started within ${timeout_seconds} seconds`
      : `timed out: the run had not ended after ${timeout_seconds} seconds; it was not cancelled`;
  return { status_code: null, error };
}

/** A queued slot whose turn has come, a triggered one, or one whose caller died. */
async function takeCall(deps: ExecutorDeps, schedule: StoredSchedule, run: StoredScheduleRun): Promise<Step> {
  if (!schedule.enabled && !run.called) {
    return endSlot(deps, run, "drop", { error: "the schedule was disabled before its turn came" });
  }
  const now = epochSeconds(deps.clock);
  const change = { called: true, due_at: now + CALL_LEASE_SECONDS } as const;
  const taken = await moveScheduleRun(deps.db, run, "call", change);
  return taken ? callAndRecord(deps, schedule, taken) : "done";
}
