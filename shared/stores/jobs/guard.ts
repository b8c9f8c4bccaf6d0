import { type JobMove, jobTransitions, type Transition } from "../../domain/jobs/job-transitions.ts";
import { allOf, type Guard } from "../../work/guard.ts";
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

const locks: Readonly<Record<Transition["lock"], (fence: Fence) => Guard | undefined>> = {
  none: () => undefined,
  held: ({ worker, attempt }) =>
    allOf(jobWork.held(required(worker)), {
      condition: "#attempt = :attempt",
      values: { ":attempt": required(attempt) },
    }),
  stale: ({ staleBefore }) => jobWork.over(required(staleBefore)),
};

/** The condition under which a move may be written: row in, condition out. */
export function guardOf(move: JobMove, fence: Fence): Guard {
  const transition: Transition = jobTransitions[move];
  const { from, lock, due, inTurn, pinned, unlessCancelled } = transition;
  const version = pinned && !fence.code?.migrates ? fence.code?.version : undefined;
  const states = from.map((status, i) => [`:from${i}`, status] as const);
  return allOf(
    {
      condition: `#status IN (${states.map(([name]) => name).join(", ")})`,
      values: Object.fromEntries(states),
    },
    locks[lock](fence),
    due && { condition: "available_at <= :now_due", values: { ":now_due": fence.now } },
    inTurn && !fence.turnHasCome ? { condition: "attribute_not_exists(waits_for)" } : undefined,
    version === undefined
      ? undefined
      : {
          condition: "attribute_not_exists(code_version) OR code_version = :code_version",
          values: { ":code_version": version },
        },
    unlessCancelled && {
      condition: "attribute_not_exists(cancel_until) OR cancel_until <= :now_cancelled",
      values: { ":now_cancelled": fence.now },
    },
  );
}

export function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("a guarded move needs its fence");
  return value;
}
