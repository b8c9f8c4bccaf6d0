import { isEndOf } from "../../domain/runs/terminal-events.ts";
import type { RunOutput } from "../../schemas/runs/run.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { Db } from "../../stores/db.ts";
import { cancelledEvent, eventSource } from "../../stores/runs/event-base.ts";
import { type EventBatch, nextIndexAfter } from "../../stores/runs/events.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import { terminalEvents } from "../../stores/runs/terminal-events.ts";
import type { RunOutcome } from "../run/run-outcome.ts";

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
