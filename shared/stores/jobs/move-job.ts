import {
  absent,
  absentOr,
  atMost,
  type Guard,
  oneOf,
  plus,
  type Update,
  updateItem,
  writeAndRead,
} from "../../data/index.ts";
import { type JobMove, jobTransitions, type Transition } from "../../domain/jobs/job-transitions.ts";
import { stepOfJob } from "../../domain/platform-events.ts";
import type { JobPayload, JobStatus } from "../../schemas/queue/queue-job.ts";
import type { Db } from "../db.ts";
import type { Spilled } from "../objects/spill.ts";
import type { Change } from "../outbox/change-event.ts";
import { jobFrom, type StoredJob } from "./job-item.ts";
import { jobKey, statusShard, userPlace } from "./job-keys.ts";
import { jobWork } from "./job-work.ts";

/** A lost race is a result: it carries the job that was seen instead. */
export type Moved =
  | { readonly moved: true; readonly job: StoredJob }
  | { readonly moved: false; readonly seen: StoredJob | undefined };

/** Moves that concern the job alone, so that one conditional write is enough. */
export type LoneMove = Extract<JobMove, "claim" | "resume" | "heartbeat" | "takeOver">;

export async function moveJob(
  db: Db,
  id: string,
  move: LoneMove,
  fence: Fence,
  change?: JobChange,
): Promise<Moved> {
  const result = await writeAndRead(db, jobUpdate(db, id, move, fence, change));
  if (result.written) return { moved: true, job: jobFrom(result.item) };
  const seen = result.seen && jobFrom(result.seen);
  return seen && isOwnClaim(seen, move, fence) ? { moved: true, job: seen } : { moved: false, seen };
}

/** A claim or take-over whose answer was lost is repeated by the SDK, and is then refused by its own first write. */
export function isOwnClaim(seen: StoredJob, move: JobMove, fence: Fence): boolean {
  const owner = move === "takeOver" ? fence.successor : fence.worker;
  return move !== "heartbeat" && seen.status === "running" && seen.locked_by === owner;
}

/** Attributes that a move writes beside the status; `undefined` removes one. */
export type JobChange = {
  readonly error?: string | null;
  readonly available_at?: number;
  readonly max_attempts?: number;
  readonly attempt_ceiling?: number;
  readonly requeued_at?: number;
  readonly completed_at?: number | null;
  readonly expires_at?: number | undefined;
  readonly cancel_until?: number | undefined;
  readonly waits_for?: readonly string[] | undefined;
  readonly hops?: number;
  readonly attempt_started_at?: number;
  /** The version of the code that the run is pinned to. */
  readonly code_version?: string | undefined;
  readonly requeued?: true;
  readonly payload?: JobPayload;
  readonly payload_large?: Spilled | undefined;
};

/** The write of a guarded move. */
export function jobUpdate(
  db: Pick<Db, "jobIndexShards">,
  id: string,
  move: JobMove,
  fence: Fence,
  change: JobChange = {},
): Update {
  const { from, to, endsExecution }: Transition = jobTransitions[move];
  // A move within one status changes only the lock, and nothing that the wire shows.
  const moves = from.every((status) => status !== to);
  return updateItem("jobs", jobKey(id), {
    set: {
      ...lockAttributes(move, fence),
      ...(endsExecution && { cancel_until: undefined }),
      ...(move === "claim" && { attempt: plus(1) }),
      ...change,
      ...(moves && {
        status: to,
        status_shard: statusShard(db, to, id),
        user_place: userPlace(to, id),
        counted_pause: to === "paused" || undefined,
        postponed: move === "postpone" || undefined,
        updated_at: fence.now,
      }),
    },
    guard: guardOf(move, fence),
  });
}

/** The lock: taken by a claim, refreshed by a heartbeat, passed on by a hand-off, released by every other move. */
function lockAttributes(move: JobMove, fence: Fence): Readonly<Record<string, unknown>> {
  const { now, worker, successor } = fence;
  switch (move) {
    case "claim":
      return { ...jobWork.taken(required(worker), now), attempt_started_at: now, hops: 0, ...pinned(fence) };
    case "resume":
      return { ...jobWork.taken(required(worker), now), ...pinned(fence) };
    case "heartbeat":
      return jobWork.renewed(now);
    case "handOff":
      return jobWork.taken(required(successor), now);
    case "takeOver":
      return { ...jobWork.taken(required(successor), now), ...pinned(fence) };
    default:
      return jobWork.released;
  }
}

/** Whoever executes a run pins it to its code. Where runs are not pinned, a pin from before is removed. */
const pinned = ({ code }: Fence): Pick<JobChange, "code_version"> =>
  code?.migrates ? {} : { code_version: code?.version };

/** Identifies the writer of a move. Which fields are needed depends on the move's lock. */
export type Fence = {
  /** Epoch seconds. */
  readonly now: number;
  readonly worker?: string;
  readonly attempt?: number;
  /** Who holds the lock after a hand-off or a take-over. */
  readonly successor?: string;
  /** Locks taken or refreshed at or before this instant are stale. */
  readonly staleBefore?: number;
  /** Set when the caller has seen that every run which the job waits for has ended. */
  readonly turnHasCome?: true;
  /** The version of the code that the run is pinned to with this move; undefined where runs are not pinned. */
  readonly code?: {
    readonly version: string;
    /** Set when the version that the run is pinned to is gone; the pin stays until it is known that the run may go on. */
    readonly migrates?: true;
  };
};

const locks: Readonly<Record<Transition["lock"], (fence: Fence) => Guard>> = {
  none: () => [],
  held: ({ worker, attempt }) => [jobWork.held(required(worker)), { attempt: required(attempt) }],
  stale: ({ staleBefore }) => jobWork.over(required(staleBefore)),
};

/** The guard under which a move may be written: row in, guard out. */
function guardOf(move: JobMove, fence: Fence): Guard {
  const { from, lock, due, inTurn, pinned, postponed, unlessCancelled }: Transition = jobTransitions[move];
  const version = pinned && !fence.code?.migrates ? fence.code?.version : undefined;
  const others = {
    ...(due && { available_at: atMost(fence.now) }),
    ...(postponed !== undefined && { postponed: postponed || absent }),
    ...(inTurn && !fence.turnHasCome && { waits_for: absent }),
    ...(version !== undefined && { code_version: absentOr(version) }),
    ...(unlessCancelled && { cancel_until: absentOr(atMost(fence.now)) }),
  };
  return [{ status: oneOf(from) }, locks[lock](fence), others];
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("a guarded move needs its fence");
  return value;
}

/**
 * What is published of a job that moves to another status. That it is running is published as its run becomes RUNNING, and not with the
 * claim, which is one write and stays one.
 *
 * @param now  epoch seconds
 */
export const jobChange = (
  { id, owner, session_id, component_type, component_id, attempt, max_attempts }: StoredJob,
  status: JobStatus,
  now: number,
): Change => ({
  type: `job.${status}`,
  id,
  owner,
  component: { type: component_type, id: component_id },
  step: stepOfJob(`job.${status}`, attempt),
  facts: { run_id: id, session_id, status, attempt, max_attempts },
  now,
});
