import { cancelRun } from "../../shared/engine/lifecycle/cancel-run.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { isTerminal } from "../../shared/schemas/queue/queue-job.ts";
import type { RunStatus } from "../../shared/schemas/runs/run.ts";
import { getJob } from "../../shared/stores/jobs/get-job.ts";
import { purgePayload } from "../../shared/stores/jobs/purge-payload.ts";
import { getRun } from "../../shared/stores/runs/get-run.ts";
import type { RunAddress } from "../../shared/stores/runs/run-address.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";
import type { RemoverDeps } from "./remover-deps.ts";

const open: ReadonlySet<RunStatus> = new Set(["PENDING", "RUNNING", "PAUSED"]);

/**
 * Requests the cancellation of a run that has not ended. The job of an ended one stays on the list of jobs as long as
 * others, but its payload, which the user wrote, is purged.
 *
 * @returns whether no process executes it (any more)
 */
export async function stopRun(deps: RemoverDeps, at: RunAddress): Promise<boolean> {
  const { db, clock, settings } = deps;
  const now = epochSeconds(clock);
  const run = await getRun(db, at, now);
  if (!run) return true;
  if (open.has(run.status)) await cancelRun(db, run, now, settings.JOB_RETENTION_SECONDS);
  if (!run.queued) return hasEnded(deps, at);
  const job = await getJob(db, at.run_id, now);
  if (job && !isTerminal(job.status)) return false;
  if (job) await purgePayload(db, job.id);
  return true;
}

/**
 * A foreground run has no job: its record shows the end, by its status or by the time at which its process must have
 * ended.
 */
async function hasEnded({ db, clock }: RemoverDeps, at: RunAddress): Promise<boolean> {
  const run: StoredRun | undefined = await getRun(db, at, epochSeconds(clock));
  return !run || !open.has(run.status);
}
