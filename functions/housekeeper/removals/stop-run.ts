import { cancelRun } from "../../../shared/engine/lifecycle/cancel-run.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import { isTerminal } from "../../../shared/schemas/queue/queue-job.ts";
import type { RunStatus } from "../../../shared/schemas/runs/run.ts";
import { getJob } from "../../../shared/stores/jobs/job-item.ts";
import { getRunHead } from "../../../shared/stores/runs/get-run.ts";
import type { RunAddress } from "../../../shared/stores/runs/run-keys.ts";
import type { RemoverDeps } from "./remover-deps.ts";
import type { StoppedRun } from "./session-data.ts";

const open: ReadonlySet<RunStatus> = new Set(["PENDING", "RUNNING", "PAUSED"]);

/**
 * Requests the cancellation of a run that has not ended.
 *
 * @returns undefined as long as a process executes it
 */
export async function stopRun(deps: RemoverDeps, at: RunAddress): Promise<StoppedRun | undefined> {
  const { db, clock, settings } = deps;
  const now = epochSeconds(clock);
  const run = await getRunHead(db, at, now);
  if (!run) return { at, run, job: undefined };
  if (open.has(run.status)) await cancelRun(db, run, now, settings.JOB_RETENTION_SECONDS);
  if (!run.queued) return (await hasEnded(deps, at)) ? { at, run, job: undefined } : undefined;
  const job = await getJob(db, at.run_id, now);
  return job && !isTerminal(job.status) ? undefined : { at, run, job };
}

/**
 * A foreground run has no job: its record shows the end, by its status or by the time at which its process must have
 * ended.
 */
async function hasEnded({ db, clock }: RemoverDeps, at: RunAddress): Promise<boolean> {
  const run = await getRunHead(db, at, epochSeconds(clock));
  return !run || !open.has(run.status);
}
