import type { JobStatus } from "../../schemas/queue/queue-job.ts";

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
  /** Only when it waits for no other run of its session. */
  readonly inTurn?: true;
  /** Only while no cancellation is recorded: what would let the run live on must not run over a wish to stop. */
  readonly unlessCancelled?: true;
  /** The execution is over, and with it the wish to stop it. */
  readonly endsLeg?: true;
};

/**
 * Every way a job changes its state. The guard of each write is generated from its row.
 *
 * The picture is in docs/job-states.md, drawn from this table.
 *
 * @source contract, runs-and-queue 10.3
 */
export const jobTransitions = {
  claim: { from: ["queued"], to: "running", lock: "none", due: true, inTurn: true },
  heartbeat: { from: ["running"], to: "running", lock: "held" },
  /** A run that outlives its function is put down for another one to take up, in the same attempt. */
  handOff: { from: ["running"], to: "running", lock: "held", unlessCancelled: true },
  /** The hand-off's token holds the lock; whoever brings it takes the lock over, once. */
  takeOver: { from: ["running"], to: "running", lock: "held" },
  complete: { from: ["running"], to: "completed", lock: "held", endsLeg: true },
  pause: { from: ["running"], to: "paused", lock: "held", unlessCancelled: true, endsLeg: true },
  /** The execution itself ended because a cancellation was read. */
  stop: { from: ["running"], to: "cancelled", lock: "held", endsLeg: true },
  retry: { from: ["running"], to: "queued", lock: "held", unlessCancelled: true },
  fail: { from: ["running"], to: "failed", lock: "held", endsLeg: true },
  /** A run that nobody executes is cancelled at once. The wish stays live: nothing has read it. */
  cancel: { from: ["queued", "paused"], to: "cancelled", lock: "none" },
  /** A paused run was answered: it takes its place in the queue again. */
  continue: { from: ["paused"], to: "queued", lock: "none", unlessCancelled: true },
  /** The sweeper frees a job whose worker went silent while budget is left. */
  release: { from: ["running"], to: "queued", lock: "stale", unlessCancelled: true },
  /** The sweeper ends a job whose worker went silent on its last attempt. */
  abandon: { from: ["running"], to: "failed", lock: "stale", endsLeg: true },
  /** The sweeper brings a job in line with a run record that had already ended. */
  settleCompleted: { from: ["running"], to: "completed", lock: "stale", endsLeg: true },
  settleCancelled: { from: ["running"], to: "cancelled", lock: "stale", endsLeg: true },
  settlePaused: { from: ["running"], to: "paused", lock: "stale", unlessCancelled: true, endsLeg: true },
  /** The queue gave the job's message up before any worker could take it. */
  giveUp: { from: ["queued"], to: "failed", lock: "none" },
  requeue: { from: ["failed", "cancelled"], to: "queued", lock: "none" },
} as const satisfies Record<string, Transition>;

export type JobMove = keyof typeof jobTransitions;
export const jobMoves = Object.keys(jobTransitions) as JobMove[];
