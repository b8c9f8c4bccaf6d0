import { outcomeOfRun } from "../../shared/domain/runs/outcome-of-run.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { RunOutput } from "../../shared/schemas/runs/run.ts";
import { getRun } from "../../shared/stores/runs/get-run.ts";
import type { StoredSchedule, StoredScheduleRun } from "../../shared/stores/schedules/index.ts";
import { endSlot, failAttempt } from "./end-attempt.ts";
import type { ExecutorDeps, Step } from "./executor-deps.ts";

/**
 * Records how the run of an attempt ended or paused. The attempt has the status; the run, where it still exists, has
 * its input and its output.
 */
export async function completeAttempt(
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
