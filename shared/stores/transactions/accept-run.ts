import type { Db } from "../db.ts";
import { claimKey } from "../jobs/idempotency-key.ts";
import { jobChange } from "../jobs/job-change.ts";
import { jobItem, type StoredJob } from "../jobs/job-item.ts";
import { spillJob } from "../jobs/spill-job.ts";
import { tellChanges } from "../outbox/change-event.ts";
import { runItem, type StoredRun } from "../runs/run-item.ts";
import { spillRun } from "../runs/spill-run.ts";
import { type StoredTask, taskItem } from "../runs/tasks/task-item.ts";
import { enterSession, type SessionEntry, spillEntry } from "../sessions/session-writes.ts";
import { transact, type Write } from "../transact.ts";

export type Submission = SessionEntry & {
  readonly job: StoredJob;
  readonly run: StoredRun;
  /** Given when another agent's message starts the run. */
  readonly task?: StoredTask | undefined;
};

export type Acceptance =
  | { readonly accepted: true }
  /** The idempotency key was used before, for this job. */
  | { readonly accepted: false; readonly because: "duplicate"; readonly job_id: string }
  /** The session was created, or a turn in it was claimed, concurrently. */
  | { readonly accepted: false; readonly because: "session_changed" };

/**
 * Accepts a background run, which from then on is never lost: its job, its PENDING record, its idempotency key and, when
 * it is the first, its session are written all or nothing.
 *
 * @param now  epoch seconds
 */
export async function acceptRun(db: Db, submission: Submission, now: number): Promise<Acceptance> {
  // Objects first: they cannot be part of the transaction, and without them no run may be accepted.
  const [job, run, entry] = await Promise.all([
    spillJob(db, submission.job),
    spillRun(db, submission.run),
    spillEntry(db, submission),
  ]);
  const { task } = submission;
  const writes: Write[] = [
    putNew(db.tables.jobs, jobItem(db, job)),
    putNew(db.tables.runs, runItem(run)),
    ...(task ? [putNew(db.tables.runs, taskItem(task))] : []),
  ];
  const keyEntry =
    job.idempotency_key === null ? -1 : writes.push(claimKey(db, job, job.idempotency_key, now)) - 1;
  const session = enterSession(db, entry);
  const sessionEntry = session ? writes.push(session) - 1 : -1;
  const told = await tellChanges(db, [jobChange(job, "queued", now)]);
  const result = await transact(db, () => [...writes, ...told.entries]);
  if (result.written) {
    await told.wake();
    return { accepted: true };
  }
  if (result.entry === keyEntry) {
    return { accepted: false, because: "duplicate", job_id: String(result.seen?.job_id) };
  }
  if (result.entry === sessionEntry) return { accepted: false, because: "session_changed" };
  throw new Error(`run ${job.id} exists already`);
}

const putNew = (table: string, item: Record<string, unknown>): Write => ({
  Put: { TableName: table, Item: item, ConditionExpression: "attribute_not_exists(pk)" },
});
