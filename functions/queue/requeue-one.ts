import type { RequeuePlan } from "../../shared/domain/jobs/plan-requeue.ts";
import { wakeWorker } from "../../shared/queue/run-queue.ts";
import { runOf, type StoredJob } from "../../shared/stores/jobs/job-item.ts";
import { getRunHead } from "../../shared/stores/runs/get-run.ts";
import { getSessionHead } from "../../shared/stores/sessions/session-item.ts";
import { requeueRun } from "../../shared/stores/transactions/requeue-run.ts";
import type { QueueDeps } from "./queue-deps.ts";

type Needs = Pick<QueueDeps, "db" | "queue" | "log">;

/** The job as it was written; or why it was not, for the operator. */
export type Requeued = { readonly requeued: StoredJob } | { readonly refused: string };

/**
 * Requeues a job as planned. The job is stored as queued before its message is sent: if sending fails, the sweeper
 * sends it. It is refused when its session was deleted, and when it is no longer in the state that was seen.
 *
 * @param now    epoch seconds
 * @param dueAt  when it may be claimed; epoch seconds
 */
export async function requeueOne(
  { db, queue, log }: Needs,
  job: StoredJob,
  plan: RequeuePlan,
  now: number,
  dueAt = now,
): Promise<Requeued> {
  const [run, session] = await Promise.all([
    getRunHead(db, runOf(job), now),
    getSessionHead(db, job.session_id),
  ]);
  // The record goes after the session. Another session may have the id by then.
  if (!run || !session) return { refused: deleted(job) };
  const requeued = await requeueRun(db, job, run, plan, now, dueAt);
  if (!requeued) return { refused: `job ${job.id} changed while it was being requeued; look at it again` };
  await wakeWorker({ queue, log }, job, dueAt - now);
  return { requeued };
}

const deleted = ({ id, session_id }: StoredJob): string =>
  `session ${session_id} was deleted, and the run of job ${id} with it; submit the request again instead`;
