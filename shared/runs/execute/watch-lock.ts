import { RunStopped, runCancelled } from "../../engine/run/next-step.ts";
import { jobWork } from "../../stores/jobs/job-work.ts";
import { readLock } from "../../stores/jobs/lock-check.ts";
import { moveJob } from "../../stores/jobs/move-job.ts";
import { isCancellationLive } from "../../stores/runs/run-cancellation.ts";
import { startHeartbeat } from "../../work/index.ts";
import type { Execution, JobDeps } from "./worker-deps.ts";

/** How often a long execution checks whether its cancellation is requested. */
export const CHECK_EVERY_MS = 1_500;

export type LockWatch = {
  /** Stops the run when its lock was not refreshed for so long that another worker may have it. */
  readonly loseIfStale: () => void;
  /** Stops the heartbeat and waits until none is under way. */
  readonly release: () => Promise<void>;
};

/**
 * Refreshes a job's lock while its run is executed, and checks between the heartbeats whether the run's cancellation is
 * requested. An execution that ends before the first check costs neither.
 *
 * A lock that is lost stops the run as `lost`: one that the job refuses, one that a check finds with another worker, and
 * one that could not be refreshed for a whole grace, because the sweeper may release it. So does a process that was frozen
 * for as long, before its next step. A recorded cancellation stops the run as `cancelled`.
 */
export function watchLock(deps: JobDeps, { job, fence }: Execution, stop: AbortController): LockWatch {
  const stopIfCancelled = (cancel_until: number | undefined) => {
    if (isCancellationLive({ cancel_until }, fence().now)) stop.abort(runCancelled());
  };
  const { loseIfOver, end } = startHeartbeat(
    deps,
    {
      kind: "job",
      seconds: deps.settings.LOCK_GRACE_SECONDS,
      renewals: jobWork.lease.renewals,
      // The process may have been frozen since it took the lock.
      ...(job.locked_at !== null && { takenAt: job.locked_at * 1000 }),
      renew: async () => {
        const refreshed = await moveJob(deps.db, job.id, "heartbeat", fence());
        if (refreshed.moved) stopIfCancelled(refreshed.job.cancel_until);
        return refreshed.moved;
      },
      check: {
        everyMs: CHECK_EVERY_MS,
        read: async () => {
          const seen = await readLock(deps.db, job.id);
          if (seen?.locked_by !== job.locked_by || seen.attempt !== job.attempt) return false;
          stopIfCancelled(seen.cancel_until);
          return true;
        },
      },
    },
    { stop, reason: () => new RunStopped("lost", "another worker has the job, or may have it by now") },
  );
  loseIfOver();
  return { loseIfStale: loseIfOver, release: end };
}
