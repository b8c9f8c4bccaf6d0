import { isCancellationLive } from "../../domain/jobs/cancellation.ts";
import { RunStopped, runCancelled } from "../../engine/run/run-stopped.ts";
import { moveJob } from "../../stores/jobs/move-job.ts";
import { readLock } from "../../stores/jobs/read-lock.ts";
import type { Execution, JobDeps } from "./worker-deps.ts";

const HEARTBEATS_PER_GRACE = 3;
/** How often a long execution checks whether its cancellation is requested. */
const CHECK_EVERY_MS = 1_500;

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
 *   claim  check  check   heartbeat  check  check   heartbeat      lock grace
 *     |──────·──────·─────────♥─────────·──────·─────────♥─ ⋯ ──────────|
 *
 * A heartbeat that the job refuses, or a check that finds another worker's lock, stops the run at once as `lost`. A
 * heartbeat that fails is tried again; when a whole grace passes without success the run stops too, because the sweeper
 * may release it. So does a process that was frozen for as long, before its next step. A recorded cancellation stops
 * the run as `cancelled`.
 */
export function watchLock(deps: JobDeps, { job, fence }: Execution, stop: AbortController): LockWatch {
  const graceMs = deps.settings.LOCK_GRACE_SECONDS * 1000;
  const beatEveryMs = Math.max(1000, graceMs / HEARTBEATS_PER_GRACE);
  const ended = new AbortController();
  // The process may have been frozen since it took the lock.
  let freshAt = job.locked_at === null ? deps.clock.now() : job.locked_at * 1000;
  let nextBeatAt = deps.clock.now() + beatEveryMs;
  const lose = (why: string) => stop.abort(new RunStopped("lost", why));
  const loseIfStale = () => {
    if (deps.clock.now() - freshAt >= graceMs) lose("the lock could not be refreshed in time");
  };
  loseIfStale();

  const beat = async () => {
    nextBeatAt = deps.clock.now() + beatEveryMs;
    const current = fence();
    const refreshed = await moveJob(deps.db, job.id, "heartbeat", current);
    if (!refreshed.moved) return lose("another worker holds the job");
    // The time that the sweeper will read, not the time of the answer.
    freshAt = current.now * 1000;
    stopIfCancelled(refreshed.job.cancel_until);
  };
  const check = async () => {
    const seen = await readLock(deps.db, job.id);
    if (seen?.locked_by !== job.locked_by || seen.attempt !== job.attempt) {
      return lose("another worker holds the job");
    }
    stopIfCancelled(seen.cancel_until);
  };
  const stopIfCancelled = (cancel_until: number | undefined) => {
    if (!isCancellationLive({ cancel_until }, fence().now)) return;
    stop.abort(runCancelled());
  };
  const loop = async () => {
    for (;;) {
      const waitMs = Math.min(CHECK_EVERY_MS, beatEveryMs);
      await deps.clock.sleep(waitMs, ended.signal).catch(() => undefined);
      if (ended.signal.aborted || stop.signal.aborted) return;
      try {
        await (deps.clock.now() >= nextBeatAt ? beat() : check());
      } catch (error) {
        deps.log.warn("the lock could not be refreshed or checked", { job_id: job.id, error: String(error) });
        loseIfStale();
      }
    }
  };
  const running = loop();
  return {
    loseIfStale,
    release: () => {
      ended.abort();
      return running;
    },
  };
}
