import type { JobMove } from "../../domain/job-transitions.ts";
import { jobTransitions } from "../../domain/job-transitions.ts";
import { isTerminal } from "../../schemas/queue-job.ts";
import type { RunOutput, RunStatus } from "../../schemas/run.ts";
import type { StoredApproval } from "../approvals/approval-item.ts";
import { endApprovals, putApproval } from "../approvals/end-approvals.ts";
import type { Db } from "../db.ts";
import { countEnded } from "../jobs/counters.ts";
import type { Mover } from "../jobs/guard.ts";
import { keepKeyUntil } from "../jobs/idempotency-key.ts";
import type { StoredJob } from "../jobs/job-item.ts";
import { expiryOf } from "../jobs/job-keys.ts";
import { type JobChange, jobUpdate } from "../jobs/job-update.ts";
import { type EventBatch, packBatch, putBatch } from "../runs/events.ts";
import type { RunAddress } from "../runs/get-run.ts";
import { replaceRun } from "../runs/replace-run.ts";
import { runUpdate } from "../runs/run-update.ts";
import { progressSession, type SessionProgress } from "../sessions/session-writes.ts";
import { transact, type Write } from "../transact.ts";

/** The job's side of an ending. */
export type JobEnding = {
  readonly row: StoredJob;
  readonly move: Exclude<JobMove, "claim" | "heartbeat" | "handOff" | "takeOver" | "requeue" | "continue">;
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
  /** What a paused run waits for. */
  readonly pause?: {
    readonly digests: Readonly<Record<string, string>>;
    readonly approval: StoredApproval | undefined;
  };
  /** The completed run whose answer this one replaces. */
  readonly replaces?: RunAddress | undefined;
};

/**
 * Ends one execution: run record, its last events, session sums, job and counters change together or not at all, so
 * that no reader ever sees a finished run without its last event or a finished job without its run.
 *
 * @returns false when the job or the record belongs to somebody else by now: nothing was written
 */
export async function commitEnding(db: Db, ending: Ending): Promise<boolean> {
  for (let tryNumber = 1; tryNumber <= APPROVAL_TRIES; tryNumber += 1) {
    const approvals = await approvalWrites(db, ending);
    const fenced = fencedWrites(db, ending, 0).length;
    const result = await transact(db, (again) => [
      ...fencedWrites(db, ending, again),
      ...approvals,
      ...looseWrites(db, ending),
    ]);
    if (result.written) return true;
    if (result.entry < fenced) return false;
    // Somebody resolved or deleted an approval in this moment: what there is to write is read anew.
    if (result.entry < fenced + approvals.length) continue;
    return commitEnding(db, { ...ending, ...without(ending, result.entry - fenced - approvals.length) });
  }
  throw new Error(`the approvals of run ${ending.at.run_id} change all the time`);
}

/** An approval is settled once and deleted once. */
const APPROVAL_TRIES = 4;

/** Entries whose refusal means that somebody else owns the run by now. */
const fencedWrites = (db: Db, ending: Ending, tryNumber: number): Write[] => [
  ...(ending.job ? jobWrites(db, ending.job, tryNumber) : []),
  ...runWrites(db, ending),
];

/** Entries that the ending can do without: their session has vanished, or the replaced run was replaced already. */
const looseWrites = (db: Db, { at, session, replaces }: Ending): Write[] => [
  ...(session ? [progressSession(db, at.session_id, session)] : []),
  ...(replaces ? [replaceRun(db, replaces)] : []),
];

const without = ({ session }: Ending, position: number): Partial<Ending> =>
  session && position === 0 ? { session: undefined } : { replaces: undefined };

async function approvalWrites(db: Db, { output, pause, job, events }: Ending): Promise<Write[]> {
  if (pause?.approval) return [putApproval(db, pause.approval)];
  if (!output || !ended.has(output.status)) return [];
  const last = events?.events[events.events.length - 1];
  return endApprovals(db, output, job?.mover.now ?? last?.created_at);
}

/** Packed events up to this size stay on the record of an ended run; beside them it holds 300 KB of output at most. */
const MAX_LAST_EVENTS_BYTES = 64_000;

const ended: ReadonlySet<RunStatus> = new Set(["COMPLETED", "CANCELLED", "ERROR"]);

/** The last events of a run that ended are kept on its record; those of one that goes on have an item of their own. */
function runWrites(db: Db, { at, attempt, output, events, pause }: Ending): Write[] {
  const batch = events && events.events.length > 0 ? packBatch(events) : undefined;
  const writer = { by: "attempt", attempt } as const;
  const digests = pause && { digests: pause.digests };
  const fits = batch && batch.events.length <= MAX_LAST_EVENTS_BYTES;
  if (output && fits && ended.has(output.status)) {
    return [{ Update: runUpdate(db, at, writer, { status: output.status, output, last_events: batch }) }];
  }
  return [
    ...(output ? [{ Update: runUpdate(db, at, writer, { status: output.status, output, ...digests }) }] : []),
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
