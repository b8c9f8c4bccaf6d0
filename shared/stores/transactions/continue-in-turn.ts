import { turnAfter } from "../../domain/jobs/turn-after.ts";
import { ServiceError } from "../../errors.ts";
import type { Db } from "../db.ts";
import { getJob, type StoredJob } from "../jobs/job-item.ts";
import { retryUntilWritten } from "../retry-until-written.ts";
import { listLiveRuns } from "../runs/listing/live-runs.ts";
import { getSessionHead, type StoredSession } from "../sessions/session-item.ts";
import { type Continuation, continueRun } from "./continue-run.ts";

/** A run that is continued under a job. */
export type QueuedContinuation = Continuation & { readonly job: NonNullable<Continuation["job"]> };

/**
 * Continues a paused run in the queue. One that takes turns with others of its session does so again: it waits for those
 * that are live, and takes a turn, so that a run which is accepted at the same moment waits for it, or it for that run.
 *
 * @returns false when the run, its job or an approval has changed since it was read: nothing was written
 * @throws ServiceError CONFLICT where another run entered the session at the same moment in every try
 */
export async function continueInTurn(db: Db, continuation: QueuedContinuation): Promise<boolean> {
  const { run, job, now } = continuation;
  const tryOnce = async () => {
    const { turnIn, row } = await turnOf(db, job.row, now);
    const continued = await continueRun(db, { ...continuation, turnIn, job: { ...job, row } });
    if (continued.written) return true;
    return continued.because === "session_changed" ? undefined : false;
  };
  return retryUntilWritten(tryOnce, () => {
    const text = `other runs enter the session of run ${run.run_id} all the time; continue it again in a moment`;
    return new ServiceError("CONFLICT", text, { headers: { "retry-after": "1" } });
  });
}

type Turn = { readonly turnIn: StoredSession | undefined; readonly row: StoredJob };

/** The session is read before its live runs: the write is refused when another run has entered it since. */
async function turnOf(db: Db, job: StoredJob, now: number): Promise<Turn> {
  const turnIn = job.overlaps ? undefined : await getSessionHead(db, job.session_id);
  // A session that is removed has no other runs.
  if (!turnIn) return { turnIn: undefined, row: job };
  const live = await listLiveRuns(db, job.owner, job.session_id, now);
  const jobs = await Promise.all(live.map((id) => getJob(db, id, now)));
  const waits = new Map(jobs.flatMap((one) => (one?.waits_for ? [[one.id, one.waits_for] as const] : [])));
  const waits_for = turnAfter(job.id, live, waits);
  return { turnIn, row: waits_for.length > 0 ? { ...job, waits_for } : job };
}
