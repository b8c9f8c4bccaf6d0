import type { RunOutput, RunStatus } from "../../schemas/run.ts";
import type { Db } from "../db.ts";
import type { StoredBatch } from "./events.ts";
import type { RunAddress } from "./get-run.ts";
import { runKey } from "./run-keys.ts";

/** Who writes a run record. */
export type RunWriter =
  /** An execution: refused when a later attempt has written, or when the run has ended. */
  | { readonly by: "attempt"; readonly attempt: number }
  /** A requeue: takes the record back from its end. */
  | { readonly by: "requeue" };

export type RunChange = {
  readonly status: RunStatus;
  readonly output?: RunOutput;
  readonly last_events?: StoredBatch;
  /** Where the run goes on; a write of an output takes it away. */
  readonly checkpoint?: Uint8Array;
};

/**
 * The parameters of a guarded write of a run record. A stored higher attempt refuses lower ones; a COMPLETED or
 * CANCELLED record refuses everything but a requeue.
 *
 * @source contract, runs-and-queue 10.3, "Fence"
 */
export function runUpdate(db: Db, at: RunAddress, writer: RunWriter, change: RunChange) {
  const byAttempt = writer.by === "attempt";
  const sets = [
    "#status = :status",
    ...(byAttempt ? ["attempt = :attempt"] : []),
    ...(change.output ? ["#output = :output"] : []),
    ...(change.last_events ? ["last_events = :last_events"] : []),
    ...(change.checkpoint ? ["checkpoint = :checkpoint"] : []),
  ];
  return {
    TableName: db.tables.runs,
    Key: runKey(at.owner, at.session_id, at.run_id),
    UpdateExpression: `SET ${sets.join(", ")}${change.output ? " REMOVE checkpoint" : ""}`,
    ConditionExpression: byAttempt
      ? "attribute_exists(pk) AND attempt <= :attempt AND NOT #status IN (:completed, :cancelled)"
      : "attribute_exists(pk)",
    ExpressionAttributeNames: { "#status": "status", ...(change.output && { "#output": "output" }) },
    ExpressionAttributeValues: {
      ":status": change.status,
      ...(byAttempt && {
        ":attempt": writer.attempt,
        ":completed": "COMPLETED",
        ":cancelled": "CANCELLED",
      }),
      ...(change.output && { ":output": change.output }),
      ...(change.last_events && { ":last_events": change.last_events }),
      ...(change.checkpoint && { ":checkpoint": change.checkpoint }),
    },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
  };
}
