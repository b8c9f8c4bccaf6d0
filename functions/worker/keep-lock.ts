import { RunStopped } from "../../shared/engine/run-request.ts";
import { moveJob } from "../../shared/stores/jobs/move-job.ts";
import type { Execution, WorkerDeps } from "./execute-job.ts";

const HEARTBEATS_PER_GRACE = 3;

export type HeldLock = {
  /** Stops the heartbeat and waits until none is under way. */
  readonly release: () => Promise<void>;
};

/**
 * Refreshes a job's lock while its run is executed.
 *
 *   |── heartbeat ──|── heartbeat ──|── heartbeat ──|      lock grace
 *   ok              failed          failed          stop: nobody may assume this worker alive any more
 *
 * A heartbeat that the job refuses stops the run at once, as `lost`: another worker owns it. One that fails is
 * tried again; when a whole grace has passed without success the run stops too, because the sweeper may free it.
 */
export function keepLock(deps: WorkerDeps, { job, mover }: Execution, stop: AbortController): HeldLock {
  const graceMs = deps.settings.LOCK_GRACE_SECONDS * 1000;
  const everyMs = Math.max(1000, graceMs / HEARTBEATS_PER_GRACE);
  const ended = new AbortController();
  let freshAt = deps.clock.now();
  const lose = (why: string) => stop.abort(new RunStopped("lost", why));

  const beat = async () => {
    try {
      const { moved } = await moveJob(deps.db, job.id, "heartbeat", mover());
      if (moved) freshAt = deps.clock.now();
      else lose("another worker holds the job");
    } catch (error) {
      deps.log.warn("heartbeat failed", { job_id: job.id, error: String(error) });
      if (deps.clock.now() - freshAt + everyMs >= graceMs) lose("the lock could not be refreshed in time");
    }
  };
  const loop = async () => {
    for (;;) {
      await deps.clock.sleep(everyMs, ended.signal).catch(() => undefined);
      if (ended.signal.aborted || stop.signal.aborted) return;
      await beat();
    }
  };
  const running = loop();
  return {
    release: () => {
      ended.abort();
      return running;
    },
  };
}
