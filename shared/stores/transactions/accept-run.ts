import type { Db } from "../db.ts";
import { claimKey } from "../jobs/idempotency-key.ts";
import { jobItem, type StoredJob } from "../jobs/job-item.ts";
import { runItem, type StoredRun } from "../runs/run-item.ts";
import type { StoredSession } from "../sessions/session-item.ts";
import { putNewSession } from "../sessions/session-writes.ts";
import { transact, type Write } from "../transact.ts";

export type Submission = {
  readonly job: StoredJob;
  readonly run: StoredRun;
  /** Given when the session is not there yet. */
  readonly newSession: StoredSession | undefined;
};

export type Acceptance =
  | { readonly accepted: true }
  /** The idempotency key was used before, for this job. */
  | { readonly accepted: false; readonly because: "duplicate"; readonly job_id: string }
  /** Somebody created the session at the same moment. */
  | { readonly accepted: false; readonly because: "session_exists" };

/**
 * The moment from which a background run is never lost: its job, its PENDING record, its idempotency key and, when
 * it is the first, its session are written together or not at all.
 *
 * @param now  epoch seconds
 */
export async function acceptRun(db: Db, submission: Submission, now: number): Promise<Acceptance> {
  const { job, run, newSession } = submission;
  const writes: Write[] = [putNew(db.tables.jobs, jobItem(job)), putNew(db.tables.runs, runItem(run))];
  const keyEntry =
    job.idempotency_key === null ? -1 : writes.push(claimKey(db, job, job.idempotency_key, now)) - 1;
  const sessionEntry = newSession ? writes.push(putNewSession(db, newSession)) - 1 : -1;
  const result = await transact(db, () => writes);
  if (result.written) return { accepted: true };
  if (result.entry === keyEntry) {
    return { accepted: false, because: "duplicate", job_id: String(result.seen?.job_id) };
  }
  if (result.entry === sessionEntry) return { accepted: false, because: "session_exists" };
  throw new Error(`run ${job.id} exists already`);
}

const putNew = (table: string, item: Record<string, unknown>): Write => ({
  Put: { TableName: table, Item: item, ConditionExpression: "attribute_not_exists(pk)" },
});
