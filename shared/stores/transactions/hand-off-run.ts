import { transact } from "../../data/index.ts";
import type { Db } from "../db.ts";
import { runOf, type StoredJob } from "../jobs/job-item.ts";
import { type Fence, jobUpdate } from "../jobs/move-job.ts";
import { sessionObjects, spillBytes } from "../objects/spill.ts";
import { type EventBatch, packBatch, putBatch } from "../runs/events.ts";
import { runUpdate } from "../runs/run-update.ts";

/** A run that is suspended between two steps. */
export type HandOff = {
  readonly job: StoredJob;
  /** The holder of the lock, and the token that holds it from now on as `successor`. */
  readonly fence: Fence;
  readonly hops: number;
  readonly checkpoint: Uint8Array;
  readonly events: EventBatch;
  /** Given for one that is queued again, in its attempt: when it is due, and what its attempt began at then; epoch seconds. */
  readonly postponed?: { readonly available_at: number; readonly attempt_started_at: number };
};

/**
 * Hands a run off to another process: checkpoint, events so far and the lock's new holder are written all or nothing.
 *
 * @returns false when the lock was lost or a cancellation is recorded: nothing was written
 */
export async function handOffRun(db: Db, handOff: HandOff): Promise<boolean> {
  const { job, fence, hops, events, postponed } = handOff;
  const [checkpoint, batch] = await Promise.all([
    spillBytes(db, sessionObjects(job.owner, job.session_id), handOff.checkpoint),
    packBatch(db, runOf(job), events),
  ]);
  const writer = { by: "attempt", attempt: job.attempt } as const;
  const result = await transact(db, {
    job: jobUpdate(db, job.id, postponed ? "postpone" : "handOff", fence, { hops, ...postponed }),
    run: runUpdate(runOf(job), writer, { status: "RUNNING", checkpoint, hops }),
    events: events.events.length > 0 ? putBatch(job.id, batch) : undefined,
  });
  return result.written;
}
