import type { JobStatus } from "../schemas/queue-job.ts";

/**
 * What must be true of the lock for a move:
 * - `none`: nobody holds one, or it does not matter
 * - `held`: the caller is the holder, in this very attempt (the fence)
 * - `stale`: the holder has been silent for longer than the lock grace
 */
export type LockNeed = "none" | "held" | "stale";

export type Transition = {
  readonly from: readonly JobStatus[];
  readonly to: JobStatus;
  readonly lock: LockNeed;
  /** Only once `available_at` has come. */
  readonly due?: true;
};

/**
 * Every way a job changes its state. The guard of each write is generated from its row.
 *
 *   submit ──▶ queued ──claim──▶ running ──complete──▶ completed
 *                ▲ ▲                │ ├─────pause────▶ paused
 *                │ └─retry/release──┘ ├─────stop─────▶ cancelled ─┐
 *                │                    └─fail/abandon─▶ failed ────┤
 *                └────────────────────requeue─────────────────────┘
 *
 * @source contract, runs-and-queue 10.3
 */
export const jobTransitions = {
  claim: { from: ["queued"], to: "running", lock: "none", due: true },
  heartbeat: { from: ["running"], to: "running", lock: "held" },
  complete: { from: ["running"], to: "completed", lock: "held" },
  pause: { from: ["running"], to: "paused", lock: "held" },
  /** The execution itself ended because a cancellation was read. */
  stop: { from: ["running"], to: "cancelled", lock: "held" },
  retry: { from: ["running"], to: "queued", lock: "held" },
  fail: { from: ["running"], to: "failed", lock: "held" },
  /** The sweeper frees a job whose worker went silent while budget is left. */
  release: { from: ["running"], to: "queued", lock: "stale" },
  /** The sweeper ends a job whose worker went silent on its last attempt. */
  abandon: { from: ["running"], to: "failed", lock: "stale" },
  /** The sweeper brings a job in line with a run record that had already ended. */
  settleCompleted: { from: ["running"], to: "completed", lock: "stale" },
  settleCancelled: { from: ["running"], to: "cancelled", lock: "stale" },
  settlePaused: { from: ["running"], to: "paused", lock: "stale" },
  /** The queue gave the job's message up before any worker could take it. */
  giveUp: { from: ["queued"], to: "failed", lock: "none" },
  requeue: { from: ["failed", "cancelled"], to: "queued", lock: "none" },
} as const satisfies Record<string, Transition>;

export type JobMove = keyof typeof jobTransitions;
export const jobMoves = Object.keys(jobTransitions) as JobMove[];
