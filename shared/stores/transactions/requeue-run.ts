import type { RequeuePlan } from "../../domain/plan-requeue.ts";
import { isTerminal } from "../../schemas/queue-job.ts";
import type { RunOutput } from "../../schemas/run.ts";
import type { Db } from "../db.ts";
import { countRequeued } from "../jobs/counters.ts";
import { keepKeyUntil } from "../jobs/idempotency-key.ts";
import type { StoredJob } from "../jobs/job-item.ts";
import { jobUpdate } from "../jobs/job-update.ts";
import type { StoredRun } from "../runs/run-item.ts";
import { runUpdate } from "../runs/run-update.ts";
import { transact, type Write } from "../transact.ts";

/**
 * Sends a stopped job back to the queue: the job queued and due now, its run record PENDING again, and the counters,
 * together or not at all.
 *
 * @param now  epoch seconds
 * @returns    the job as it was written, or undefined when it is no longer in the state that was seen
 */
export async function requeueRun(
  db: Db,
  job: StoredJob,
  run: StoredRun | undefined,
  plan: RequeuePlan,
  now: number,
): Promise<StoredJob | undefined> {
  const { clearsCancellation, ...budget } = plan;
  const change = {
    ...budget,
    available_at: now,
    completed_at: null,
    expires_at: undefined,
    ...(clearsCancellation && { cancel_until: undefined }),
  };
  const result = await transact(db, (tryNumber) => [
    { Update: jobUpdate(db, job.id, "requeue", { now }, change) },
    ...(isTerminal(job.status) && job.expires_at !== undefined
      ? [countRequeued(db, { id: job.id, tryNumber }, job.status, job.expires_at)]
      : []),
    ...keepKeyUntil(db, job, undefined),
    ...(run ? [resetRun(db, run)] : []),
  ]);
  if (!result.written) return undefined;
  return {
    ...job,
    ...budget,
    status: "queued",
    available_at: now,
    updated_at: now,
    locked_by: null,
    locked_at: null,
    completed_at: null,
  };
}

/** What the failed execution left in the record goes; what was asked for stays. */
function resetRun(db: Db, run: StoredRun): Write {
  const { content: _c, messages: _m, metrics: _x, tools: _t, requirements: _r, ...asked } = run.output;
  const output: RunOutput = { ...asked, status: "PENDING" };
  return { Update: runUpdate(db, run, { by: "requeue" }, { status: "PENDING", output }) };
}
