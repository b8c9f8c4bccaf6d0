import { outcomeOfRun } from "../../shared/domain/runs/outcome-of-run.ts";
import { planDueRun } from "../../shared/domain/schedules/plan-due-run.ts";
import { scheduleCall } from "../../shared/domain/schedules/schedule-call.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { RunOutput } from "../../shared/schemas/runs/run.ts";
import type { ScheduleRunRef } from "../../shared/schemas/schedules/schedule-run.ts";
import { getRun } from "../../shared/stores/runs/get-run.ts";
import {
  callingRun,
  getSchedule,
  getScheduleRun,
  moveScheduleRun,
  openNextAttempt,
  type StoredSchedule,
  type StoredScheduleRun,
  scheduleRunUpdate,
  scheduleRunWork,
} from "../../shared/stores/schedules/index.ts";
import { recordCrash } from "../../shared/work/index.ts";
import { callAndRecord } from "./call-and-record.ts";
import { endSlot, failAttempt } from "./end-attempt.ts";
import type { ExecutorDeps, Step } from "./executor-deps.ts";

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

/**
 * Records how the run of an attempt ended or paused. The attempt has the status; the run, where it still exists, has
 * its input and its output.
 */
async function completeAttempt(
  deps: ExecutorDeps,
  schedule: StoredSchedule,
  run: StoredScheduleRun,
): Promise<Step> {
  if (run.run_ended === undefined) throw new Error(`the run of attempt ${run.id} has not ended`);
  const outcome = outcomeOfRun(run.run_ended, await outputOf(deps, run));
  if (outcome.end === "fail") return failAttempt(deps, schedule, run, outcome.change);
  return endSlot(deps, run, outcome.end, outcome.change);
}

async function outputOf(
  { db, clock }: ExecutorDeps,
  { run_id, session_id, run_owner = null }: StoredScheduleRun,
): Promise<RunOutput | undefined> {
  if (run_id === null || session_id === null) return undefined;
  const found = await getRun(db, { owner: run_owner, session_id, run_id }, epochSeconds(clock));
  return found?.output;
}

/**
 * Starts the attempt after a failed one and passes the turn to it. A schedule that was disabled since then is not
 * retried.
 */
async function retryAttempt(
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
