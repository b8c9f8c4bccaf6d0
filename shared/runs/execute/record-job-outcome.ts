import { CANCELLED_RECORD } from "../../engine/lifecycle/cancelled-run.ts";
import { runOf } from "../../stores/run-of-job.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import { commitEnding, type JobEnding } from "../../stores/transactions/commit-ending.ts";
import { jobEnding } from "./end-job.ts";
import { leavePlace } from "./place-of-user.ts";
import type { Execution, WorkerDeps } from "./worker-deps.ts";

/**
 * Ends a claimed job whose run is not to be executed: it has ended already, or was removed with its session. A record
 * that a later attempt has written is left to that attempt.
 *
 * @source contract, runs-and-queue 10.5, "Before executing"
 */
export async function recordJobOutcome(
  deps: WorkerDeps,
  execution: Execution,
  seen: StoredRun | undefined,
): Promise<void> {
  const job = endingFor(deps, execution, seen);
  if (!job) return;
  const ended = await commitEnding(deps.db, {
    at: runOf(execution.job),
    attempt: execution.job.attempt,
    // Whoever ended the run has told it.
    told: undefined,
    output: undefined,
    events: undefined,
    session: undefined,
    job,
  });
  if (ended) await leavePlace(deps, execution.job);
}

function endingFor(
  deps: WorkerDeps,
  execution: Execution,
  seen: StoredRun | undefined,
): JobEnding | undefined {
  if (!seen) return jobEnding(deps, execution, "fail", { error: "the record of this run is gone" });
  if (seen.status === "COMPLETED") return jobEnding(deps, execution, "complete", { error: null });
  if (seen.status === "CANCELLED") return jobEnding(deps, execution, "stop", { error: CANCELLED_RECORD });
  return undefined;
}
