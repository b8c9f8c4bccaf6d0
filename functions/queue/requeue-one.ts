import type { RequeuePlan } from "../../shared/domain/jobs/plan-requeue.ts";
import { wakeWorker } from "../../shared/queue/wake-worker.ts";
import type { StoredJob } from "../../shared/stores/jobs/job-item.ts";
import { runOf } from "../../shared/stores/run-of-job.ts";
import { getRunHead } from "../../shared/stores/runs/get-run.ts";
import { requeueRun } from "../../shared/stores/transactions/requeue-run.ts";
import type { QueueDeps } from "./queue-deps.ts";

type Needs = Pick<QueueDeps, "db" | "queue" | "log">;

/**
 * Requeues a job as planned. The job is stored as queued before its message is sent: if sending fails, the sweeper
 * sends it.
 *
 * @param now    epoch seconds
 * @param dueAt  when it may be claimed; epoch seconds
 * @returns      the job as it was written, or undefined when it is no longer in the state that was seen
 */
export async function requeueOne(
  { db, queue, log }: Needs,
  job: StoredJob,
  plan: RequeuePlan,
  now: number,
  dueAt = now,
): Promise<StoredJob | undefined> {
  const run = await getRunHead(db, runOf(job), now);
  const requeued = await requeueRun(db, job, run, plan, now, dueAt);
  if (!requeued) return undefined;
  await wakeWorker({ queue, log }, job, dueAt - now);
  return requeued;
}

export const changedMeanwhile = (id: string): string =>
  `job ${id} changed while it was being requeued; look at it again`;
