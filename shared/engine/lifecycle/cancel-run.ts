import { CANCELLATION_LIFE_SECONDS } from "../../domain/jobs/cancellation.ts";
import { ServiceError } from "../../errors.ts";
import type { Db } from "../../stores/db.ts";
import type { StoredJob } from "../../stores/jobs/job-item.ts";
import { recordCancellation } from "../../stores/jobs/record-cancellation.ts";
import { retryUntilWritten } from "../../stores/retry-until-written.ts";
import type { AwaitingJob } from "../../stores/runs/await-run.ts";
import { getRunHead } from "../../stores/runs/get-run.ts";
import { recordRunCancellation } from "../../stores/runs/run-cancellation.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import { commitEnding, type Ended, type Ending } from "../../stores/transactions/commit-ending.ts";
import { cancelledRun } from "./cancelled-run.ts";
import { nestedRuns } from "./nested-runs.ts";

const CANCELLED_WAITING = "The run was cancelled while it was waiting; it did not go on.";

/**
 * Cancels a run. The cancellation is recorded first, so that a worker which claims the run in between sees it:
 *
 *   executing      → its worker reads the cancellation within about two seconds
 *   waiting, paused → cancelled at once; nothing executes
 *   ended          → nothing changes
 *
 * @param run     whole, or without its large fields: what is stored of those stays
 * @param now     epoch seconds
 * @param reason  public: what record and job say of a run that was waiting
 * @returns jobs that waited for its end: each needs a message now
 * @throws ServiceError CONFLICT when it changes between every read and write
 * @source docs/interface/runs.md 8.1
 */
export async function cancelRun(
  db: Db,
  run: StoredRun,
  now: number,
  retentionSeconds: number,
  reason = CANCELLED_WAITING,
): Promise<readonly AwaitingJob[]> {
  const cancellation = { now, until: now + CANCELLATION_LIFE_SECONDS, retentionSeconds, reason };
  let seen: StoredRun | undefined = run;
  const tryOnce = async () => {
    const done = seen ? await cancelAsRead(db, seen, cancellation) : NOTHING_ENDED;
    if (!done) seen = await getRunHead(db, run, now);
    return done?.waiting;
  };
  const others = `run ${run.run_id} changed while it was being cancelled; cancel it again`;
  return retryUntilWritten(tryOnce, () => new ServiceError("CONFLICT", others));
}

type Cancellation = {
  /** Epoch seconds. */
  readonly now: number;
  /** Epoch seconds; the cancellation counts until then. */
  readonly until: number;
  readonly retentionSeconds: number;
  readonly reason: string;
};

/** Nothing was ended here. */
const NOTHING_ENDED: Ended = { events: undefined, waiting: [] };

/** @returns undefined when the run has changed since it was read: read it again */
async function cancelAsRead(db: Db, run: StoredRun, cancellation: Cancellation): Promise<Ended | undefined> {
  const { now, until, retentionSeconds } = cancellation;
  if (isInForeground(run)) return cancelForeground(db, run, cancellation);
  const job = await recordCancellation(db, run.run_id, { now, until });
  if (job?.status !== "queued" && job?.status !== "paused") return NOTHING_ENDED;
  // The run may have changed since it was read.
  const waiting = await getRunHead(db, run, now);
  if (!waiting) return NOTHING_ENDED;
  const change = { error: cancellation.reason };
  const row = { row: job, move: "cancel", fence: { now }, change, retentionSeconds } as const;
  return commitEnding(db, await endOfWaiting(db, waiting, job, cancellation, row));
}

/** A queued run that failed for good may have been continued outside the queue. */
const isInForeground = ({ queued, status, lease_until }: StoredRun): boolean =>
  !queued || (status === "RUNNING" && lease_until !== undefined);

async function cancelForeground(
  db: Db,
  run: StoredRun,
  cancellation: Cancellation,
): Promise<Ended | undefined> {
  if (run.status === "PAUSED")
    return commitEnding(db, await endOfWaiting(db, run, run, cancellation, undefined));
  if (run.status !== "RUNNING") return NOTHING_ENDED;
  return (await recordRunCancellation(db, run, cancellation.until)) ? NOTHING_ENDED : undefined;
}

/** The end of a run that is not being executed: the record says why, and readers of its stream get the last event. */
async function endOfWaiting(
  db: Db,
  run: StoredRun,
  { attempt }: Pick<StoredJob, "attempt">,
  { now, reason }: Cancellation,
  job: Ending["job"],
): Promise<Ending> {
  const { outcome, events } = await cancelledRun(db, run, attempt, now, reason);
  return {
    at: run,
    attempt,
    publishedRun: run,
    output: outcome.output,
    keeps: run.output_large,
    approval_ids: run.approval_ids,
    events,
    session: undefined,
    // Runs within it that waited end with it.
    nested: nestedRuns({ ...run, attempt }, outcome),
    job,
  };
}
