import { guardedBy, type Part, transact } from "../../data/index.ts";
import type { RequeuePlan } from "../../domain/jobs/plan-requeue.ts";
import { isTerminal } from "../../schemas/queue/queue-job.ts";
import type { Db } from "../db.ts";
import { countRequeued } from "../jobs/counters.ts";
import { extendKey } from "../jobs/idempotency-key.ts";
import type { StoredJob } from "../jobs/job-item.ts";
import { jobChange, jobUpdate } from "../jobs/move-job.ts";
import { publishChanges } from "../outbox/change-event.ts";
import { putBatch } from "../runs/events.ts";
import { type StoredRun, spillOutput } from "../runs/run-item.ts";
import { runUpdate } from "../runs/run-update.ts";

/**
 * Requeues a stopped job: the job queued, its run record PENDING again, and the counters, all or nothing.
 *
 * @param now    epoch seconds
 * @param dueAt  when it may be claimed; epoch seconds
 * @returns      the job as it was written, or undefined when it is no longer in the state that was seen
 */
export async function requeueRun(
  db: Db,
  job: StoredJob,
  run: StoredRun | undefined,
  plan: RequeuePlan,
  now: number,
  dueAt = now,
): Promise<StoredJob | undefined> {
  const { clearsCancellation, ...budget } = plan;
  const change = {
    ...budget,
    available_at: dueAt,
    requeued_at: now,
    completed_at: null,
    expires_at: undefined,
    // Whoever requeues a run decides that it continues with the current code.
    code_version: undefined,
    requeued: true as const,
    ...(clearsCancellation && { cancel_until: undefined }),
  };
  const reset = run && (await resetRun(db, run, now));
  const publication = await publishChanges(db, [jobChange({ ...job, ...budget }, "queued", now)]);
  const update = jobUpdate(db, job.id, "requeue", { now }, change);
  const result = await transact(db, (tryNumber) => ({
    // A job that another request has requeued and that has ended again has the same status. Every requeue raises
    // `max_attempts`, so that shows whether the plan still fits.
    job: guardedBy(update, { max_attempts: job.max_attempts }),
    counter:
      isTerminal(job.status) && job.expires_at !== undefined
        ? countRequeued({ db, id: job.id, tryNumber }, job.status, job.expires_at)
        : undefined,
    key: extendKey(job, undefined),
    run: reset,
    publication: publication.entries,
  }));
  if (!result.written) return undefined;
  await publication.wake();
  const { code_version: _, ...unpinned } = job;
  return {
    ...unpinned,
    ...budget,
    requeued: true,
    status: "queued",
    available_at: dueAt,
    updated_at: now,
    locked_by: null,
    locked_at: null,
    completed_at: null,
  };
}

/**
 * Removes the results of the failed execution from the record; the request stays, and what its session has counted for
 * it: that was spent.
 */
async function resetRun(db: Db, run: StoredRun, now: number): Promise<Part> {
  const { content: _c, messages: _m, metrics: _x, tools: _t, requirements: _r, ...rest } = run.output;
  const {
    content: _lc,
    messages: _lm,
    metrics: _lx,
    tools: _lt,
    requirements: _lr,
    ...keeps
  } = run.output_large ?? {};
  const spilled = await spillOutput(db, run, { ...rest, status: "PENDING" }, keeps);
  const reset = { status: "PENDING", updated_at: now, ...spilled, counted: run.counted } as const;
  return [runUpdate(run, { by: "requeue" }, reset), run.last_events && putBatch(run.run_id, run.last_events)];
}
