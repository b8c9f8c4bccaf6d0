import { ServiceError } from "../../errors.ts";
import type { RunOutput } from "../../schemas/runs/run.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { Db } from "../../stores/db.ts";
import type { StoredJob } from "../../stores/jobs/job-item.ts";
import { recordCancellation } from "../../stores/jobs/record-cancellation.ts";
import { retryUntilWritten } from "../../stores/retry-until-written.ts";
import { cancelledEvent, eventSource, isEndOf } from "../../stores/runs/event-base.ts";
import { type EventBatch, nextIndexAfter, terminalEvents } from "../../stores/runs/events.ts";
import { getRunHead } from "../../stores/runs/get-run.ts";
import { CANCELLATION_LIFE_SECONDS, recordRunCancellation } from "../../stores/runs/run-cancellation.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { AwaitingJob } from "../../stores/runs/run-update.ts";
import { commitEnding } from "../../stores/transactions/commit-ending.ts";
import type { Ended, Ending } from "../../stores/transactions/ending.ts";
import type { RunOutcome } from "../run/run-outcome.ts";
import { nestedRuns } from "./end-run.ts";

const CANCELLED_WAITING = "The run was cancelled while it was waiting; it did not go on.";

/**
 * Cancels a run:
 *
 *   executing  → the cancellation is recorded; its worker reads it within about two seconds
 *   waiting    → recorded first, so that a worker which claims the run in between sees it; cancelled at once
 *   paused     → cancelled at once, in one write with the record of it
 *   ended      → nothing changes
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
  const found = await recordCancellation(db, run.run_id, { now, until });
  const job = found?.recorded ? found.job : found?.paused;
  if (job?.status !== "queued" && job?.status !== "paused") return NOTHING_ENDED;
  // The run may have changed since it was read.
  const waiting = await getRunHead(db, run, now);
  if (!waiting) return NOTHING_ENDED;
  const change = { error: cancellation.reason, cancel_until: until };
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

/** The end of a cancelled run with its last events, which are not written yet. */
export type Cancelled = {
  readonly outcome: Extract<RunOutcome, { status: "CANCELLED" }> & { readonly reason: string };
  readonly events: EventBatch;
};

/** What a job says that ends because its run's record is cancelled already. */
export const CANCELLED_RECORD = "The run was cancelled; its record says what it had done.";

const CANCELLED_BEFORE = "The run was cancelled before it could go on.";

/**
 * The end of a run that was cancelled while it was not being executed.
 *
 * @param run     whole, or without its large fields
 * @param now     epoch seconds
 * @param reason  public: what the record says, and its last event
 */
export async function cancelledRun(
  db: Db,
  run: StoredRun,
  attempt: number,
  now: number,
  reason = CANCELLED_BEFORE,
): Promise<Cancelled> {
  return {
    outcome: cancelled(run.output, reason),
    events: await terminalEvents(db, run, attempt, cancelledEvent(eventSource(run), now, reason)),
  };
}

/**
 * The end of a run that would have paused or been retried, but was cancelled before that was written. It keeps what
 * the run did; a cancelled event takes the place of the ending event that was not written.
 *
 * @param now  epoch seconds
 */
export async function cancelledInstead(
  db: Db,
  run: StoredRun,
  { outcome, events }: { readonly outcome: RunOutcome; readonly events: EventBatch },
  now: number,
): Promise<Cancelled> {
  const { session_state } = outcome;
  const unwrittenEnd = events.events.find((event) => isEndOf(run.run_id, event));
  const event_index = unwrittenEnd?.event_index ?? (await nextIndexAfter(db, run, events));
  const before = events.events.filter((event) => event.event_index < event_index);
  const end = { ...cancelledEvent(eventSource(run), now, CANCELLED_BEFORE), event_index };
  return {
    outcome: { ...cancelled(outcome.output, CANCELLED_BEFORE), ...(session_state && { session_state }) },
    events: { ...events, events: [...before, end] },
  };
}

const cancelled = (output: StoredOutput, reason: string): Cancelled["outcome"] => ({
  status: "CANCELLED",
  reason,
  output: { ...cancelledWithin(output), status: "CANCELLED", content: reason },
});

/** Paused runs within a run are cancelled with it. */
function cancelledWithin<Run extends Pick<StoredOutput, "member_responses" | "step_executor_runs">>(
  run: Run,
): Run {
  const { member_responses, step_executor_runs } = run;
  const ended = (runs: readonly RunOutput[]) =>
    runs.map((one) =>
      one.status === "PAUSED" ? { ...cancelledWithin(one), status: "CANCELLED" as const } : one,
    );
  return {
    ...run,
    ...(member_responses && { member_responses: ended(member_responses) }),
    ...(step_executor_runs && { step_executor_runs: ended(step_executor_runs) }),
  };
}
