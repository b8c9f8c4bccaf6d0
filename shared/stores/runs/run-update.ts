import {
  absent,
  absentOr,
  anyOf,
  atMost,
  below,
  exists,
  type Guard,
  isNot,
  noneOf,
} from "../../data/guard.ts";
import { given, type Update, updateItem } from "../../data/writes.ts";
import type { RunStatus, TokenCounts } from "../../schemas/runs/run.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
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
  readonly awaited?: AwaitedBy | "none";
  /** The component's revision in the code that executes the run; null where none is declared. Left as it is when absent. */
  readonly revision?: string | null;
  /** See `StoredRun`; null for an end that leaves nothing to take back, absent where it stays as it is. */
  readonly state_written?: Spilled | null | undefined;
  /** Where the run resumes. It stays after failure and cancellation, for a requeue; completion removes it. */
  readonly checkpoint?: Spilled;
};

const notEnded = { status: noneOf(["COMPLETED", "CANCELLED"]) };

/** Whether a writer may write. */
function fenceOf(writer: RunWriter): Guard {
  switch (writer.by) {
    case "attempt":
      return { attempt: atMost(writer.attempt), ...notEnded };
    case "foreground":
      return [{ attempt: atMost(writer.attempt), ...notEnded }, { status: isNot("ERROR") }];
    case "start":
      return [
        anyOf(
          { attempt: below(writer.attempt) },
          { attempt: writer.attempt, status: "RUNNING", hops: absentOr(atMost(writer.hops)) },
        ),
        notEnded,
      ];
    case "requeue":
      return [];
  }
}

/**
 * A guarded write of a run record. A stored higher attempt refuses lower ones; a COMPLETED or CANCELLED record refuses
 * everything but a requeue. A failed run without a job is not executed again, so a late write of its execution is refused
 * too.
 *
 * @source docs/interface/queue.md 2.2
 */
export function runUpdate(at: RunAddress, writer: RunWriter, change: RunChange): Update {
  const { awaited, output, output_large, last_events, counted, revision, state_written, ...written } = change;
  const byAttempt = writer.by !== "requeue";
  return updateItem("runs", runKey(at.owner, at.session_id, at.run_id), {
    set: {
      ...given(written),
      status_key: statusKey(at.run_id, change.status),
      ...(byAttempt && { attempt: writer.attempt }),
      ...(writer.by === "start" && { hops: writer.hops }),
      ...(output && { output, output_large, lease_until: undefined }),
      ...given({ last_events, counted }),
      // A requeue stores the last events in an item of their own, so that the next end does not overwrite them.
      ...(!byAttempt && { last_events: undefined, counted }),
      ...(change.status === "COMPLETED" && { checkpoint: undefined }),
      ...(revision !== undefined && { revision: revision ?? undefined }),
      ...(state_written !== undefined && { state_written: state_written ?? undefined }),
      ...(awaited !== undefined && awaited !== "none" && { awaited_by: undefined }),
    },
    guard: [
      exists,
      fenceOf(writer),
      awaited === undefined ? [] : { awaited_by: awaited === "none" ? absent : awaited },
    ],
  });
}
