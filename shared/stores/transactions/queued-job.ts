import { isNew as absentItem, anyOf, atMost, putItem, type Write } from "../../data/index.ts";
import { isTerminal } from "../../schemas/queue/queue-job.ts";
import type { Db } from "../db.ts";
import { countPaused, countRequeued } from "../jobs/counters.ts";
import { extendKey } from "../jobs/idempotency-key.ts";
import { jobItem, type StoredJob } from "../jobs/job-item.ts";
import { jobUpdate } from "../jobs/move-job.ts";

export type ContinuedJob = {
  /** As it was read, with the payload to write. */
  readonly job: StoredJob;
  /** Whether the run has no job yet. */
  readonly isNew: boolean;
  /** Epoch seconds. */
  readonly now: number;
};

/**
 * The writes that queue the job of a continued run, due at once, for one more execution.
 *
 *   none             a new job
 *   paused           queued again
 *   ended            requeued: the run failed for good, went on outside the queue, and paused there
 */
export function queuedJob(
  db: Db,
  { job, isNew, now }: ContinuedJob,
  tryNumber: number,
): (Write | undefined)[] {
  if (isNew) return [newJob(db, job, now)];
  const { id, attempt, payload, payload_large, status, waits_for } = job;
  const budget = attempt + 1;
  const change = {
    payload,
    payload_large,
    max_attempts: budget,
    attempt_ceiling: budget,
    available_at: now,
    hops: 0,
    waits_for,
  };
  if (!isTerminal(status)) {
    return [
      jobUpdate(db, id, "continue", { now }, change),
      job.counted_pause && countPaused({ db, id, tryNumber }, -1),
    ];
  }
  const revived = {
    ...change,
    requeued_at: now,
    completed_at: null,
    expires_at: undefined,
    // It has continued with other code than it began with.
    code_version: undefined,
    requeued: true as const,
  };
  return [
    jobUpdate(db, id, "requeue", { now }, revived),
    job.expires_at === undefined ? undefined : countRequeued({ db, id, tryNumber }, status, job.expires_at),
    extendKey(job, undefined),
  ];
}

/** An expired job of the run may still be there: the table deletes it later than it is gone for readers. */
const newJob = (db: Db, job: StoredJob, now: number): Write =>
  putItem("jobs", jobItem(db, job), anyOf(absentItem, { expires_at: atMost(now) }));
