import type { JobMove } from "../../domain/job-transitions.ts";
import { jobTransitions } from "../../domain/job-transitions.ts";
import { isTerminal } from "../../schemas/queue-job.ts";
import type { RunOutput } from "../../schemas/run.ts";
import type { Db } from "../db.ts";
import { countEnded } from "../jobs/counters.ts";
import type { Mover } from "../jobs/guard.ts";
import { keepKeyUntil } from "../jobs/idempotency-key.ts";
import type { StoredJob } from "../jobs/job-item.ts";
import { expiryOf } from "../jobs/job-keys.ts";
import { type JobChange, jobUpdate } from "../jobs/job-update.ts";
import { type EventBatch, putEvents } from "../runs/events.ts";
import type { RunAddress } from "../runs/get-run.ts";
import { runUpdate } from "../runs/run-update.ts";
import { progressSession, type SessionProgress } from "../sessions/session-writes.ts";
import { transact, type Write } from "../transact.ts";

/** The job's side of an ending. */
export type JobEnding = {
  readonly row: StoredJob;
  readonly move: Exclude<JobMove, "claim" | "heartbeat" | "requeue">;
  readonly mover: Mover;
  /** Further attributes; `error: null` where the ending has none. */
  readonly change: Pick<JobChange, "error" | "available_at">;
  readonly retentionSeconds: number;
};

export type Ending = {
  readonly at: RunAddress;
  readonly attempt: number;
  /** The final record; absent when the record already says how the run ended. */
  readonly output: RunOutput | undefined;
  readonly events: EventBatch | undefined;
  readonly session: SessionProgress | undefined;
  /** Absent for foreground runs. */
  readonly job: JobEnding | undefined;
};

/**
 * Ends one execution: run record, its last events, session sums, job and counters change together or not at all, so
 * that no reader ever sees a finished run without its last event or a finished job without its run.
 *
 * @returns false when the job or the record belongs to somebody else by now: nothing was written
 */
export async function commitEnding(db: Db, ending: Ending): Promise<boolean> {
  const result = await transact(db, (tryNumber) => writesOf(db, ending, tryNumber));
  if (result.written) return true;
  const sessionGone = ending.session && result.entry === writesOf(db, ending, 0).length - 1;
  return sessionGone ? commitEnding(db, { ...ending, session: undefined }) : false;
}

function writesOf(db: Db, { at, attempt, output, events, session, job }: Ending, tryNumber: number): Write[] {
  return [
    ...(job ? jobWrites(db, job, tryNumber) : []),
    ...(output
      ? [{ Update: runUpdate(db, at, { by: "attempt", attempt }, { status: output.status, output }) }]
      : []),
    ...(events && events.events.length > 0 ? [putEvents(db, events)] : []),
    // Last, so that a vanished session can be told from a lost fence.
    ...(session ? [progressSession(db, at.session_id, session)] : []),
  ];
}

function jobWrites(
  db: Db,
  { row, move, mover, change, retentionSeconds }: JobEnding,
  tryNumber: number,
): Write[] {
  const { to } = jobTransitions[move];
  if (!isTerminal(to)) return [{ Update: jobUpdate(db, row.id, move, mover, change) }];
  const expires_at = expiryOf(mover.now, retentionSeconds);
  return [
    {
      Update: jobUpdate(db, row.id, move, mover, { ...change, completed_at: mover.now, expires_at }),
    },
    countEnded(db, { id: row.id, tryNumber }, to, expires_at),
    ...keepKeyUntil(db, row, expires_at),
  ];
}
