import type { JobStatus } from "../../../schemas/queue/queue-job.ts";
import type { ScheduleRunRef } from "../../../schemas/schedules/schedule-run.ts";
import type { Db } from "../../db.ts";
import type { Write } from "../../transact.ts";
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
 * The entry that records the end or pause of a run in the attempt that started it, in the transaction that ends the
 * run. The attempt is due at once: a message or the sweeper wakes a process that records the outcome.
 *
 * The entry has the run's id too, for an attempt whose caller died before it could write that.
 */
export function markRunEnded(db: Db, ref: ScheduleRunRef, run: RunEnd): Write {
  const { due_shard, due } = scheduleRunDue.keys(ref.schedule_run_id, run.now);
  return {
    Update: {
      TableName: db.tables.schedules,
      Key: scheduleRunKey(ref),
      UpdateExpression:
        "SET run_ended = :ended, run_id = :run, session_id = :session, run_owner = :owner, " +
        "#stage = :stage, due_at = :now, due_shard = :due_shard, #due = :due ADD revision :one",
      ConditionExpression: "#status IN (:running, :paused)",
      ExpressionAttributeNames: { "#status": "status", "#stage": "stage", "#due": "due" },
      ExpressionAttributeValues: {
        ":ended": run.status,
        ":run": run.run_id,
        ":session": run.session_id,
        ":owner": run.owner,
        ":stage": "run",
        ":now": run.now,
        ":due_shard": due_shard,
        ":due": due,
        ":one": 1,
        ":running": "running",
        ":paused": "paused",
      },
    },
  };
}
