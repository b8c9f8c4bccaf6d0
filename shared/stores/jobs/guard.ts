import { absent, absentOr, atMost, type Guard, oneOf } from "../../data/guard.ts";
import { type JobMove, jobTransitions, type Transition } from "../../domain/jobs/job-transitions.ts";
import { jobWork } from "./job-work.ts";

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
export function guardOf(move: JobMove, fence: Fence): Guard {
  const { from, lock, due, inTurn, pinned, unlessCancelled }: Transition = jobTransitions[move];
  const version = pinned && !fence.code?.migrates ? fence.code?.version : undefined;
  const others = {
    ...(due && { available_at: atMost(fence.now) }),
    ...(inTurn && !fence.turnHasCome && { waits_for: absent }),
    ...(version !== undefined && { code_version: absentOr(version) }),
    ...(unlessCancelled && { cancel_until: absentOr(atMost(fence.now)) }),
  };
  return [{ status: oneOf(from) }, locks[lock](fence), others];
}

export function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("a guarded move needs its fence");
  return value;
}
