import { planDueRun } from "../../shared/domain/schedules/plan-due-run.ts";
import { scheduleCall } from "../../shared/domain/schedules/schedule-call.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { ScheduleRunRef } from "../../shared/schemas/schedules/schedule-run.ts";
import {
  getSchedule,
  getScheduleRun,
  moveScheduleRun,
  type StoredSchedule,
  type StoredScheduleRun,
  scheduleRunWork,
} from "../../shared/stores/schedules/index.ts";
import { recordCrash } from "../../shared/work/index.ts";
import { callAndRecord } from "./call-and-record.ts";
import { completeAttempt } from "./complete-attempt.ts";
import { endSlot, failAttempt } from "./end-attempt.ts";
import type { ExecutorDeps, Step } from "./executor-deps.ts";
import { retryAttempt } from "./retry-attempt.ts";

/** After as many changes by other processes it gives up; the record is still due, so nothing is lost. */
const MAX_STEPS = 10;

/**
 * Takes the next steps of an attempt, if there are any. Any message, however late or often it comes, may call this:
 * every step is a conditional write, so of two processes that take the same step one succeeds.
 *
 * @throws on a fault of the store or the network: the message comes back
 */
export async function processDueRun(deps: ExecutorDeps, ref: ScheduleRunRef): Promise<void> {
  let step: Step = ref;
  for (let count = 0; count < MAX_STEPS && step !== "done"; count += 1) step = await processOnce(deps, step);
}

async function processOnce(deps: ExecutorDeps, ref: ScheduleRunRef): Promise<Step> {
  const now = epochSeconds(deps.clock);
  const [run, schedule] = await Promise.all([
    getScheduleRun(deps.db, ref, now),
    getSchedule(deps.db, ref.schedule_id),
  ]);
  if (!run || !schedule) return "done";
  const { kind } = scheduleCall(schedule, run.id);
  const step = planDueRun(run, kind, schedule.timeout_seconds, now);
  // Whoever has called before has not recorded what came of it.
  if (run.called && run.stage === "call" && step !== "none") recordCrash(deps, scheduleRunWork.kind);
  switch (step) {
    case "none":
      return "done";
    case "call":
      return claimCall(deps, schedule, run);
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

/** Calls for a queued slot whose turn has come, a triggered one, or one whose caller died. */
async function claimCall(
  deps: ExecutorDeps,
  schedule: StoredSchedule,
  run: StoredScheduleRun,
): Promise<Step> {
  if (!schedule.enabled && !run.called) {
    return endSlot(deps, run, "drop", { error: "the schedule was disabled before its turn came" });
  }
  const now = epochSeconds(deps.clock);
  const change = { called: true, due_at: scheduleRunWork.leaseEnd(now).due } as const;
  const claimed = await moveScheduleRun(deps.db, run, "call", change);
  return claimed ? callAndRecord(deps, schedule, claimed) : "done";
}
