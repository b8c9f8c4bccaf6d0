import { oneOf, updateItem, type Write } from "../../../data/index.ts";
import type { JobStatus } from "../../../schemas/queue/queue-job.ts";
import type { ScheduleRunRef } from "../../../schemas/schedules/schedule-run.ts";
import { scheduleRunDue, scheduleRunKey } from "./run-keys.ts";

export type RunEnd = {
  readonly run_id: string;
  readonly session_id: string;
  readonly owner: string | null;
  readonly status: Exclude<JobStatus, "queued" | "running">;
  /** Epoch seconds. */
  readonly now: number;
};

/**
 * The write that records the end or pause of a run in the attempt that started it, in the transaction that ends the
 * run. The attempt is due at once: a message or the sweeper wakes a process that records the outcome.
 *
 * It has the run's id too, for an attempt whose caller died before it could write that.
 */
export const markRunEnded = (ref: ScheduleRunRef, run: RunEnd): Write =>
  updateItem("schedules", scheduleRunKey(ref), {
    set: {
      run_ended: run.status,
      run_id: run.run_id,
      session_id: run.session_id,
      run_owner: run.owner,
      stage: "run",
      due_at: run.now,
      ...scheduleRunDue.keys(ref, run.now),
    },
    add: { revision: 1 },
    guard: { status: oneOf(["running", "paused"]) },
  });
