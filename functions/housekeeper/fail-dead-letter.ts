import { wakeSession } from "../../shared/engine/lifecycle/wake-waiting.ts";
import type { RunQueue } from "../../shared/queue/run-queue.ts";
import { type Clock, epochSeconds } from "../../shared/runtime/clock.ts";
import type { Log } from "../../shared/runtime/log.ts";
import type { Meter } from "../../shared/runtime/metrics/meter.ts";
import type { Db } from "../../shared/stores/db.ts";
import { getJob } from "../../shared/stores/jobs/job-item.ts";
import { failRun } from "../../shared/stores/transactions/fail-run.ts";

export type DeadLetterDeps = {
  readonly db: Db;
  readonly queue: RunQueue;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter?: Meter;
  readonly settings: { readonly JOB_RETENTION_SECONDS: number; readonly MAX_ATTEMPTS: number };
};

const REASON =
  "No worker could start this run: its message was delivered several times and every delivery failed. Look at the worker's log, then requeue the job.";

/**
 * Fails a job that the queue gave up on before any worker claimed it. A running job is left to the sweeper, which can
 * distinguish a live worker from a dead one; an ended job needs nothing.
 */
export async function failDeadLetter(deps: DeadLetterDeps, jobId: string): Promise<void> {
  const now = epochSeconds(deps.clock);
  const job = await getJob(deps.db, jobId, now);
  if (job?.status !== "queued") return;
  const failed = await failRun(deps.db, job, "failDeadLetter", { now }, REASON, deps.settings);
  if (!failed) return;
  await wakeSession(deps, failed.waiting);
  deps.meter?.record({ RunsFailed: 1 });
  deps.meter?.record({ Failures: 1 }, "undelivered");
  deps.log.error("a job was given up", { job_id: jobId });
}
