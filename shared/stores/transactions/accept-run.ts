import { isNew, putItem, transact, type Write } from "../../data/index.ts";
import type { Db } from "../db.ts";
import { claimKey } from "../jobs/idempotency-key.ts";
import { jobItem, type StoredJob, spillJob } from "../jobs/job-item.ts";
import { jobChange } from "../jobs/move-job.ts";
import { publishChanges } from "../outbox/change-event.ts";
import { runItem, type StoredRun, spillRun } from "../runs/run-item.ts";
import { type StoredTask, taskItem } from "../runs/task-item.ts";
import { enterSession, type SessionEntry, spillEntry } from "../sessions/session-writes.ts";

export type Submission = SessionEntry & {
  readonly job: StoredJob;
  readonly run: StoredRun;
  /** Given when another agent's message starts the run. */
  readonly task?: StoredTask | undefined;
  /** Given when the run answers a message to one that has ended: its write. */
  readonly message?: Write | undefined;
};

export type Acceptance =
  | { readonly accepted: true }
  /** The idempotency key was used before. */
  | { readonly accepted: false; readonly because: "duplicate" }
  /** The session was created, or a turn in it was claimed, concurrently. */
  | { readonly accepted: false; readonly because: "session_changed" }
  /** Another message has its number. */
  | { readonly accepted: false; readonly because: "message_changed" };

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
  const publication = await publishChanges(db, [jobChange(job, "queued", now)]);
  const result = await transact(db, {
    job: putItem("jobs", jobItem(db, job), isNew),
    run: putItem("runs", runItem(run, db), isNew),
    task: task && putItem("runs", taskItem(task), isNew),
    message: submission.message,
    key: job.idempotency_key === null ? undefined : claimKey(job, job.idempotency_key, now),
    session: enterSession(entry),
    publication: publication.entries,
  });
  if (result.written) {
    await publication.wake();
    return { accepted: true };
  }
  if (result.refused === "key") return { accepted: false, because: "duplicate" };
  if (result.refused === "message") return { accepted: false, because: "message_changed" };
  if (result.refused === "session") return { accepted: false, because: "session_changed" };
  throw new Error(`run ${job.id} exists already`);
}
