import { CANCELLATION_LIFE_SECONDS } from "../domain/cancellation.ts";
import type { RunOutput } from "../schemas/run.ts";
import type { StoredOutput } from "../schemas/stored-output.ts";
import type { Db } from "../stores/db.ts";
import { recordCancellation } from "../stores/jobs/cancellation.ts";
import type { StoredJob } from "../stores/jobs/job-item.ts";
import { recordRunCancellation } from "../stores/runs/cancellation.ts";
import { cancelledEvent, eventSource } from "../stores/runs/event-base.ts";
import { nextEventIndex } from "../stores/runs/events.ts";
import type { StoredRun } from "../stores/runs/run-item.ts";
import { commitEnding, type Ending } from "../stores/transactions/commit-ending.ts";

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
 * @source contract, runs-and-queue section 8 and 10.7
 */
export async function cancelRun(
  db: Db,
  run: StoredRun,
  now: number,
  retentionSeconds: number,
  reason = CANCELLED_WAITING,
): Promise<void> {
  const until = now + CANCELLATION_LIFE_SECONDS;
  if (isInForeground(run)) return cancelForeground(db, run, now, until, reason);
  const job = await recordCancellation(db, run.run_id, until);
  if (job?.status !== "queued" && job?.status !== "paused") return;
  const row = { row: job, move: "cancel", mover: { now }, change: {}, retentionSeconds } as const;
  await commitEnding(db, await waitingEnd(db, run, job, now, reason, row));
}

/** A queued run that failed for good may have been continued outside the queue. */
const isInForeground = ({ queued, status, lease_until }: StoredRun): boolean =>
  !queued || (status === "RUNNING" && lease_until !== undefined);

async function cancelForeground(
  db: Db,
  run: StoredRun,
  now: number,
  until: number,
  reason: string,
): Promise<void> {
  if (run.status === "RUNNING") return recordRunCancellation(db, run, until);
  if (run.status !== "PAUSED") return;
  await commitEnding(db, await waitingEnd(db, run, run, now, reason, undefined));
}

/** What waited within a run ends with it. */
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

/** The end of a run that nobody executes: the record says why, and whoever follows the stream is told. */
async function waitingEnd(
  db: Db,
  run: StoredRun,
  { attempt }: Pick<StoredJob, "attempt">,
  now: number,
  reason: string,
  job: Ending["job"],
): Promise<Ending> {
  const event_index = await nextEventIndex(db, run);
  return {
    at: run,
    attempt,
    output: { ...cancelledWithin(run.output), status: "CANCELLED", content: reason },
    keeps: run.output_large,
    approval_ids: run.approval_ids,
    events: {
      run_id: run.run_id,
      attempt,
      startsOver: false,
      events: [{ ...cancelledEvent(eventSource(run), now, reason), event_index }],
    },
    session: undefined,
    job,
  };
}
