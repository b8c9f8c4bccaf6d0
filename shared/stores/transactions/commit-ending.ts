import type { JobMove } from "../../domain/job-transitions.ts";
import { jobTransitions } from "../../domain/job-transitions.ts";
import { isTerminal } from "../../schemas/queue-job.ts";
import type { RunOutput, RunStatus } from "../../schemas/run.ts";
import type { Db } from "../db.ts";
import { countEnded } from "../jobs/counters.ts";
import type { Mover } from "../jobs/guard.ts";
import { keepKeyUntil } from "../jobs/idempotency-key.ts";
import type { StoredJob } from "../jobs/job-item.ts";
import { expiryOf } from "../jobs/job-keys.ts";
import { type JobChange, jobUpdate } from "../jobs/job-update.ts";
import type { Large } from "../objects/spilled.ts";
import { type EventBatch, packBatch, putBatch, type StoredBatch } from "../runs/events.ts";
import type { RunAddress } from "../runs/get-run.ts";
import { runUpdate } from "../runs/run-update.ts";
import { type KeptOutput, spillOutput } from "../runs/spill-output.ts";
import { progressSession, type SessionProgress } from "../sessions/session-writes.ts";
import { spillState } from "../sessions/spill-session.ts";
import { transact, type Write } from "../transact.ts";

/** The job's side of an ending. */
export type JobEnding = {
  readonly row: StoredJob;
  readonly move: Exclude<JobMove, "claim" | "heartbeat" | "handOff" | "takeOver" | "requeue">;
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
  /** Large fields of the record that `output` leaves out, because the run was read without them. */
  readonly keeps?: Large | undefined;
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
  return commit(db, await spillEnding(db, ending));
}

/** An ending whose parts fit into their items. */
type FittedEnding = Pick<Ending, "at" | "attempt" | "session" | "job"> & {
  readonly kept: KeptOutput | undefined;
  readonly batch: StoredBatch | undefined;
};

/** What is too large for an item becomes an object now: without it, nothing may be written that points to it. */
async function spillEnding(db: Db, ending: Ending): Promise<FittedEnding> {
  const { at, attempt, output, events, session, job } = ending;
  const [kept, batch, state] = await Promise.all([
    output && spillOutput(db, at, output, ending.keeps),
    events && events.events.length > 0 ? packBatch(db, at, events) : undefined,
    session?.session_state && spillState(db, at, session.session_state),
  ]);
  return { at, attempt, kept, batch, session: session && { ...session, ...state }, job };
}

async function commit(db: Db, ending: FittedEnding): Promise<boolean> {
  const result = await transact(db, (tryNumber) => writesOf(db, ending, tryNumber));
  if (result.written) return true;
  const sessionGone = ending.session && result.entry === writesOf(db, ending, 0).length - 1;
  return sessionGone ? commit(db, { ...ending, session: undefined }) : false;
}

function writesOf(db: Db, ending: FittedEnding, tryNumber: number): Write[] {
  const { at, job, session } = ending;
  return [
    ...(job ? jobWrites(db, job, tryNumber) : []),
    ...runWrites(db, ending),
    // Last, so that a vanished session can be told from a lost fence.
    ...(session ? [progressSession(db, at.session_id, session)] : []),
  ];
}

const ended: ReadonlySet<RunStatus> = new Set(["COMPLETED", "CANCELLED", "ERROR"]);

/** The last events of a run that ended are kept on its record; those of one that goes on have an item of their own. */
function runWrites(db: Db, { at, attempt, kept, batch }: FittedEnding): Write[] {
  const writer = { by: "attempt", attempt } as const;
  const status = kept?.output.status;
  if (status && batch && ended.has(status)) {
    return [{ Update: runUpdate(db, at, writer, { status, ...kept, last_events: batch }) }];
  }
  return [
    ...(status ? [{ Update: runUpdate(db, at, writer, { status, ...kept }) }] : []),
    ...(batch ? [putBatch(db, at.run_id, batch)] : []),
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
