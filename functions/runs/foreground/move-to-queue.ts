import { handOffToken } from "../../../shared/domain/jobs/hand-off-token.ts";
import { checkpointOf, type Suspended } from "../../../shared/engine/lifecycle/execute-runnable.ts";
import type { ExecutedRun } from "../../../shared/engine/lifecycle/executed-run.ts";
import { wakeWorker } from "../../../shared/queue/wake-worker.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import { packCheckpoint } from "../../../shared/stores/runs/checkpoint.ts";
import { nextIndexAfter } from "../../../shared/stores/runs/events.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import type { MovedToQueue } from "../../../shared/stores/transactions/move-run-to-queue.ts";
import { sendHandOff } from "../../worker/hand-off.ts";
import type { RunsDeps } from "../runs-deps.ts";
import { giveJob } from "./give-job.ts";
import { budgetOf, type Handing, jobOfHanded } from "./job-of-handed.ts";
import { jobOfRun } from "./job-of-run.ts";

/**
 * Hands off a run that was suspended after a step: a worker resumes it there, in the same attempt.
 *
 * @returns false when the run has ended, or its cancellation is requested
 */
export async function handOffToQueue(
  deps: RunsDeps,
  handing: Handing,
  { outcome, events, traced }: ExecutedRun<Suspended>,
): Promise<boolean> {
  const { run } = handing;
  const number = 1;
  const job = { ...jobOfHanded(deps, handing, handOffToken(number)), hops: number };
  // Awaited first: the next worker reads which spans there are.
  await traced;
  const next_index = await nextIndexAfter(deps.db, run, events);
  const checkpoint = packCheckpoint({ ...checkpointOf(outcome), next_index });
  const suspended = { checkpoint, events };
  const moved = await giveJob(deps, { run, job, suspended });
  if (moved === "moved") await sendHandOff(deps, job, number);
  return hasJob(deps, run, moved);
}

/**
 * Queues a run that was cut off within a step. A worker claims it, as a further attempt, and resumes it after the last
 * step that was saved.
 *
 * @returns false when the run has ended, or its cancellation is requested
 */
export async function moveToQueue(deps: RunsDeps, { run, stream }: Handing): Promise<boolean> {
  const { attempt } = run;
  const now = epochSeconds(deps.clock);
  const job = jobOfRun({ run, stream, attempt, budget: budgetOf(run, deps), available_at: now });
  const moved = await giveJob(deps, { run, job });
  if (moved === "moved") {
    deps.depth.countAccepted();
    await wakeWorker(deps, job);
  }
  return hasJob(deps, run, moved);
}

/** A job of which this process knew nothing is left to the sweeper: its lock goes stale, or its message is sent again. */
function hasJob({ log }: RunsDeps, { run_id }: StoredRun, moved: MovedToQueue): boolean {
  if (moved === "has_job") log.warn("a run had a job already; the sweeper takes care of it", { run_id });
  return moved !== "refused";
}
