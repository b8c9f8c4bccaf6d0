import { plus, type Update, updateItem } from "../../data/writes.ts";
import { type JobMove, jobTransitions, type Transition } from "../../domain/jobs/job-transitions.ts";
import type { JobPayload } from "../../schemas/queue/queue-job.ts";
import type { Db } from "../db.ts";
import type { Spilled } from "../objects/spilled.ts";
import { type Fence, guardOf, required } from "./guard.ts";
import { jobKey, statusShard, userPlace } from "./job-keys.ts";
import { jobWork } from "./job-work.ts";

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
  readonly waits_for?: undefined;
  readonly hops?: number;
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
