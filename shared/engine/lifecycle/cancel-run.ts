import { CANCELLATION_LIFE_SECONDS } from "../../domain/jobs/cancellation.ts";
import { ServiceError } from "../../errors.ts";
import type { Db } from "../../stores/db.ts";
import { recordCancellation } from "../../stores/jobs/cancellation.ts";
import type { StoredJob } from "../../stores/jobs/job-item.ts";
import { retryUntilWritten } from "../../stores/retry-until-written.ts";
import { recordRunCancellation } from "../../stores/runs/cancellation.ts";
import { getRunHead } from "../../stores/runs/get-run.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import { commitEnding, type Ending } from "../../stores/transactions/commit-ending.ts";
import { cancelledRun } from "./cancelled-run.ts";

const CANCELLED_WAITING = "The run was cancelled while it was waiting; it did not go on.";

/**
 * Wishes a run to stop. The wish is recorded first, so that nobody can take the run up in between without seeing it:
 *
 *   executing      → its worker reads the wish within about two seconds
 *   waiting, paused → cancelled at once; nothing executes
 *   ended          → nothing changes
 *
 * @param run     whole, or without its large fields: those are kept
 * @param now     epoch seconds
 * @param reason  public: what the record of a run says that was waiting
 * @throws ServiceError CONFLICT when it changes with every look
 * @source contract, runs-and-queue section 8 and 10.7
 */
export async function cancelRun(
  db: Db,
  run: StoredRun,
  now: number,
  retentionSeconds: number,
  reason = CANCELLED_WAITING,
): Promise<void> {
  const wish = { now, until: now + CANCELLATION_LIFE_SECONDS, retentionSeconds, reason };
  let seen: StoredRun | undefined = run;
  const tryOnce = async () => {
    if (!seen || (await cancelSeen(db, seen, wish))) return true;
    seen = await getRunHead(db, run, now);
    return undefined;
  };
  const others = `run ${run.run_id} changed while it was being cancelled; cancel it again`;
  await retryUntilWritten(tryOnce, () => new ServiceError("CONFLICT", others));
}

type Wish = {
  /** Epoch seconds; the wish counts until then. */
  readonly now: number;
  readonly until: number;
  readonly retentionSeconds: number;
  readonly reason: string;
};

/** @returns false when the run is not what was seen of it: look again */
async function cancelSeen(db: Db, run: StoredRun, wish: Wish): Promise<boolean> {
  const { now, until, retentionSeconds } = wish;
  if (isInForeground(run)) return cancelForeground(db, run, wish);
  const job = await recordCancellation(db, run.run_id, until);
  if (job?.status !== "queued" && job?.status !== "paused") return true;
  // What the job waits with may be newer than what was seen of the run.
  const waiting = await getRunHead(db, run, now);
  if (!waiting) return true;
  const row = { row: job, move: "cancel", fence: { now }, change: {}, retentionSeconds } as const;
  return commitEnding(db, await waitingEnd(db, waiting, job, wish, row));
}

/** A queued run that failed for good may have been continued outside the queue. */
const isInForeground = ({ queued, status, lease_until }: StoredRun): boolean =>
  !queued || (status === "RUNNING" && lease_until !== undefined);

async function cancelForeground(db: Db, run: StoredRun, wish: Wish): Promise<boolean> {
  if (run.status === "PAUSED") return commitEnding(db, await waitingEnd(db, run, run, wish, undefined));
  if (run.status === "RUNNING") await recordRunCancellation(db, run, wish.until);
  return true;
}

/** The end of a run that nobody executes: the record says why, and whoever follows the stream is told. */
async function waitingEnd(
  db: Db,
  run: StoredRun,
  { attempt }: Pick<StoredJob, "attempt">,
  { now, reason }: Wish,
  job: Ending["job"],
): Promise<Ending> {
  const { outcome, events } = await cancelledRun(db, run, attempt, now, reason);
  return {
    at: run,
    attempt,
    output: outcome.output,
    keeps: run.output_large,
    approval_ids: run.approval_ids,
    events,
    session: undefined,
    job,
  };
}
