import type { RunStatus, TokenCounts } from "../../schemas/runs/run.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { Db } from "../db.ts";
import type { Large, Spilled } from "../objects/spilled.ts";
import type { AwaitedBy } from "./await-run.ts";
import type { StoredBatch } from "./events.ts";
import type { RunAddress } from "./run-address.ts";
import { runKey } from "./run-keys.ts";
import { statusKey } from "./run-place.ts";

/** Who writes a run record. */
export type RunWriter =
  /** An execution: refused when a later attempt has written, or when the run has ended. */
  | { readonly by: "attempt"; readonly attempt: number }
  /** An execution without a job, which is never repeated: refused also when the run has failed. */
  | { readonly by: "foreground"; readonly attempt: number }
  /**
   * An execution that starts, or resumes after a hand-off. Its claim may be long ago: refused also when this very
   * attempt has been ended from outside, was queued again, or was handed off further.
   */
  | { readonly by: "start"; readonly attempt: number; readonly hops: number }
  /** A requeue: undoes the end of the record. */
  | { readonly by: "requeue" };

export type RunChange = {
  readonly status: RunStatus;
  /** When the status changes, epoch seconds; absent where it stays as it is. */
  readonly updated_at?: number | undefined;
  readonly output?: StoredOutput;
  /** What the output leaves out; written with every output. */
  readonly output_large?: Large | undefined;
  readonly last_events?: StoredBatch;
  /** What the same transaction leaves in the sums of the session. */
  readonly counted?: TokenCounts | undefined;
  readonly counted_before?: TokenCounts | undefined;
  /** Given by a hand-off: its number. */
  readonly hops?: number;
  /** For a paused run. */
  readonly digests?: Readonly<Record<string, string>>;
  readonly approval_ids?: readonly string[];
  /**
   * Given by a change after which the run is not live: the jobs that were seen waiting for that. The write is refused
   * where others wait by now.
   */
  readonly awaited?: AwaitedBy | "nobody";
  /** The component's revision in the code that executes the run; null where none is declared. Left as it is when absent. */
  readonly revision?: string | null;
  /** See `StoredRun`; null for an end that leaves nothing to take back, absent where it stays as it is. */
  readonly state_written?: Spilled | null | undefined;
  /** Where the run resumes. It stays after failure and cancellation, for a requeue; completion removes it. */
  readonly checkpoint?: Spilled;
};

const notEnded = " AND NOT #status IN (:completed, :cancelled)";
const notFailed = " AND #status <> :error";
const fences = {
  attempt: ` AND attempt <= :attempt${notEnded}`,
  foreground: ` AND attempt <= :attempt${notEnded}${notFailed}`,
  start: ` AND (attempt < :attempt OR (attempt = :attempt AND #status = :running AND (attribute_not_exists(hops) OR hops <= :hops)))${notEnded}`,
  requeue: "",
} as const satisfies Record<RunWriter["by"], string>;

/**
 * The parameters of a guarded write of a run record. A stored higher attempt refuses lower ones; a COMPLETED or
 * CANCELLED record refuses everything but a requeue. A failed run without a job is not executed again, so a late write of
 * its execution is refused too.
 *
 * @source contract, runs-and-queue 10.3, "Fence"
 */
export function runUpdate(db: Db, at: RunAddress, writer: RunWriter, change: RunChange) {
  const byAttempt = writer.by !== "requeue";
  const status_key = statusKey(at.run_id, change.status);
  const hops = writer.by === "start" ? writer.hops : change.hops;
  // A requeue stores the last events in an item of their own, so that the next end does not overwrite them.
  const removed = [
    ...(status_key === undefined ? ["status_key"] : []),
    ...(change.status === "COMPLETED" ? ["checkpoint"] : []),
    ...(change.output && !change.output_large ? ["output_large"] : []),
    ...(change.output ? ["lease_until"] : []),
    ...(byAttempt ? [] : ["last_events"]),
    ...(isAwaited(change) ? ["awaited_by"] : []),
    ...(byAttempt || change.counted ? [] : ["counted"]),
    ...(change.revision === null ? ["revision"] : []),
    ...(change.state_written === null ? ["state_written"] : []),
  ];
  const sets = [
    "#status = :status",
    ...(status_key === undefined ? [] : ["status_key = :status_key"]),
    ...(change.updated_at === undefined ? [] : ["updated_at = :updated_at"]),
    ...(byAttempt ? ["attempt = :attempt"] : []),
    ...(hops === undefined ? [] : ["hops = :hops"]),
    ...(change.output ? ["#output = :output"] : []),
    ...(change.output_large ? ["output_large = :output_large"] : []),
    ...(change.last_events ? ["last_events = :last_events"] : []),
    ...(change.checkpoint ? ["checkpoint = :checkpoint"] : []),
    ...(change.counted ? ["counted = :counted"] : []),
    ...(change.counted_before ? ["counted_before = :counted_before"] : []),
    ...(change.digests ? ["digests = :digests"] : []),
    ...(change.approval_ids ? ["approval_ids = :approval_ids"] : []),
    ...(typeof change.revision === "string" ? ["revision = :revision"] : []),
    ...(change.state_written ? ["state_written = :state_written"] : []),
  ];
  return {
    TableName: db.tables.runs,
    Key: runKey(at.owner, at.session_id, at.run_id),
    UpdateExpression: `SET ${sets.join(", ")}${removed.length > 0 ? ` REMOVE ${removed.join(", ")}` : ""}`,
    ConditionExpression: `attribute_exists(pk)${fences[writer.by]}${awaitedAs(change)}`,
    ExpressionAttributeNames: { "#status": "status", ...(change.output && { "#output": "output" }) },
    ExpressionAttributeValues: {
      ":status": change.status,
      ...(status_key !== undefined && { ":status_key": status_key }),
      ...(change.updated_at !== undefined && { ":updated_at": change.updated_at }),
      ...(byAttempt && {
        ":attempt": writer.attempt,
        ":completed": "COMPLETED",
        ":cancelled": "CANCELLED",
      }),
      ...(writer.by === "foreground" && { ":error": "ERROR" }),
      ...(writer.by === "start" && { ":running": "RUNNING" }),
      ...(hops !== undefined && { ":hops": hops }),
      ...(isAwaited(change) && { ":awaited": change.awaited }),
      ...(change.output && { ":output": change.output }),
      ...(change.output_large && { ":output_large": change.output_large }),
      ...(change.last_events && { ":last_events": change.last_events }),
      ...(change.checkpoint && { ":checkpoint": change.checkpoint }),
      ...(change.counted && { ":counted": change.counted }),
      ...(change.counted_before && { ":counted_before": change.counted_before }),
      ...(change.digests && { ":digests": change.digests }),
      ...(change.approval_ids && { ":approval_ids": change.approval_ids }),
      ...(typeof change.revision === "string" && { ":revision": change.revision }),
      ...(change.state_written && { ":state_written": change.state_written }),
    },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
  };
}

const isAwaited = ({ awaited }: RunChange): boolean => awaited !== undefined && awaited !== "nobody";

function awaitedAs(change: RunChange): string {
  if (change.awaited === undefined) return "";
  return isAwaited(change) ? " AND awaited_by = :awaited" : " AND attribute_not_exists(awaited_by)";
}
