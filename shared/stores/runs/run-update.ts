import * as v from "valibot";
import {
  absent,
  absentOr,
  anyOf,
  atLeast,
  atMost,
  below,
  exists,
  type Guard,
  given,
  type Item,
  isNew,
  isNot,
  noneOf,
  putItem,
  type Update,
  updateItem,
  type Write,
  write,
} from "../../data/index.ts";
import type { CountedUsage, RunStatus } from "../../schemas/runs/run.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { Db } from "../db.ts";
import type { Large, Spilled } from "../objects/spill.ts";
import type { StoredBatch } from "./events.ts";
import { runItem, type StoredRun, spillRun } from "./run-item.ts";
import { type RunAddress, runKey, statusKey } from "./run-keys.ts";

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
  readonly counted?: CountedUsage | undefined;
  readonly counted_before?: CountedUsage | undefined;
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

/** A queued job that waits for a run of its session. */
export const AwaitingJob = v.object({ job_id: v.string(), user_id: v.nullable(v.string()) });
export type AwaitingJob = v.InferOutput<typeof AwaitingJob>;

/** The jobs that wait for a run's end, as its record holds them: JSON of each. */
export type AwaitedBy = ReadonlySet<string>;

/**
 * Notes on a live run's record that a job waits for its end. The end finds the note and wakes the job; a run that ends
 * at the same moment refuses one of the two writes, so no wake-up is missed.
 *
 * @param now  epoch seconds
 * @returns    false when the run is not live: nothing will wake the job
 */
export async function awaitRun(
  db: Db,
  at: RunAddress,
  { job_id, user_id }: AwaitingJob,
  now: number,
): Promise<boolean> {
  const awaits = updateItem("runs", runKey(at.owner, at.session_id, at.run_id), {
    add: { awaited_by: new Set([JSON.stringify({ job_id, user_id } satisfies AwaitingJob)]) },
    // A foreground run whose process must have ended is not live.
    guard: anyOf({ status: "PENDING" }, { status: "RUNNING", lease_until: absentOr(atLeast(now)) }),
  });
  return (await write(db, awaits)).written;
}

/** What a run's item says of them; undefined where none waits. */
export const awaitedBy = (item: Item | undefined): AwaitedBy | undefined =>
  item?.awaited_by instanceof Set ? item.awaited_by : undefined;

export const jobsIn = (awaited: AwaitedBy): AwaitingJob[] =>
  [...awaited].map((text) => v.parse(AwaitingJob, JSON.parse(text)));

/** Most nested runs in the transaction of a run's end: items are below 100 KB, and a transaction has 4 MB. */
const MAX_IN_TRANSACTION = 20;
const WRITTEN_TOGETHER = 8;

/**
 * Prepares ended nested runs to be written with the end of their run. If there are too many for the transaction, the
 * first of them are written now, but not over the record of a later attempt.
 *
 * @returns the writes of the transaction
 */
export async function nestedPuts(db: Db, runs: readonly StoredRun[]): Promise<Write[]> {
  const early = runs.slice(0, Math.max(0, runs.length - MAX_IN_TRANSACTION));
  for (let i = 0; i < early.length; i += WRITTEN_TOGETHER) {
    await Promise.all(early.slice(i, i + WRITTEN_TOGETHER).map((run) => putEarly(db, run)));
  }
  const items = await Promise.all(runs.slice(early.length).map((run) => spillRun(db, run)));
  return items.map((run) => putItem("runs", runItem(run, db)));
}

async function putEarly(db: Db, run: StoredRun): Promise<void> {
  const item = runItem(await spillRun(db, run), db);
  await write(db, putItem("runs", item, anyOf(isNew, { attempt: atMost(run.attempt) })));
}

/** The write that marks a completed run as replaced by another answer; it then no longer counts as history. */
export const replaceRun = (at: RunAddress): Write =>
  updateItem("runs", runKey(at.owner, at.session_id, at.run_id), {
    set: { status: "REGENERATED" },
    guard: { status: "COMPLETED" },
  });
