import { type JobMove, jobTransitions, type Transition } from "../../domain/jobs/job-transitions.ts";

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

export type Guard = {
  readonly condition: string;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
};

const lockConditions = {
  none: "",
  held: " AND locked_by = :worker AND attempt = :attempt",
  stale: " AND locked_at <= :stale_before",
} as const;

/** The condition under which a move may be written: row in, condition out. */
export function guardOf(move: JobMove, fence: Fence): Guard {
  const transition: Transition = jobTransitions[move];
  const { from, lock, due, inTurn, pinned, unlessCancelled } = transition;
  const version = pinned && !fence.code?.migrates ? fence.code?.version : undefined;
  const states = from.map((status, i) => [`:from${i}`, status] as const);
  const condition =
    `#status IN (${states.map(([name]) => name).join(", ")})` +
    lockConditions[lock] +
    (due ? " AND available_at <= :now_due" : "") +
    (inTurn && !fence.turnHasCome ? " AND attribute_not_exists(waits_for)" : "") +
    (version !== undefined
      ? " AND (attribute_not_exists(code_version) OR code_version = :code_version)"
      : "") +
    (unlessCancelled ? " AND (attribute_not_exists(cancel_until) OR cancel_until <= :now_cancelled)" : "");
  return {
    condition,
    names: { "#status": "status" },
    values: {
      ...Object.fromEntries(states),
      ...(lock === "held" && { ":worker": required(fence.worker), ":attempt": required(fence.attempt) }),
      ...(lock === "stale" && { ":stale_before": required(fence.staleBefore) }),
      ...(due && { ":now_due": fence.now }),
      ...(version !== undefined && { ":code_version": version }),
      ...(unlessCancelled && { ":now_cancelled": fence.now }),
    },
  };
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("a guarded move needs its fence");
  return value;
}
