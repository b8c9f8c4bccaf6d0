import type { JobStatus } from "../../schemas/queue/queue-job.ts";

/**
 * What must be true of the lock for a move:
 * - `none`: no worker holds one, or it does not matter
 * - `held`: the caller is the holder, in this very attempt (the fence)
 * - `stale`: the holder has sent no heartbeat for longer than the lock grace
 */
export type LockNeed = "none" | "held" | "stale";

export type Transition = {
  readonly from: readonly JobStatus[];
  readonly to: JobStatus;
  readonly lock: LockNeed;
  /** Only after `available_at`. */
  readonly due?: true;
  /** Only when it waits for no other run of its session. */
  readonly inTurn?: true;
  /** Only by the version of the code that the run began with; by any when it has not begun. */
  readonly pinned?: true;
  /** Only while no cancellation is recorded: a move that lets the run live on must not override a cancellation. */
  readonly unlessCancelled?: true;
  /** The execution is over; the cancellation that was recorded for it is cleared. */
  readonly endsExecution?: true;
  /** Only for a job that was postponed, or only for one that was not. */
  readonly postponed?: boolean;
};

/**
 * Every way a job changes its state. The guard of each write is generated from its row.
 *
 * The picture is in docs/job-states.md, drawn from this table.
 *
 * @source docs/interface/queue.md 2.1
 */
export const jobTransitions = {
  claim: {
    from: ["queued"],
    to: "running",
    lock: "none",
    due: true,
    inTurn: true,
    pinned: true,
    postponed: false,
  },
  /** A worker claims a postponed job, in the attempt that it is in. */
  resume: { from: ["queued"], to: "running", lock: "none", due: true, pinned: true, postponed: true },
  heartbeat: { from: ["running"], to: "running", lock: "held" },
  /** A run that outlives its function is suspended for another function to resume, in the same attempt. */
  handOff: { from: ["running"], to: "running", lock: "held", unlessCancelled: true },
  /** The hand-off's token holds the lock; the worker that receives the token takes the lock over, once. */
  takeOver: { from: ["running"], to: "running", lock: "held", pinned: true },
  complete: { from: ["running"], to: "completed", lock: "held", endsExecution: true },
  pause: { from: ["running"], to: "paused", lock: "held", unlessCancelled: true, endsExecution: true },
  /** The execution itself ended because a cancellation was read. */
  stop: { from: ["running"], to: "cancelled", lock: "held", endsExecution: true },
  retry: { from: ["running"], to: "queued", lock: "held", unlessCancelled: true },
  /** Its model is not to be called before an instant: it waits in the queue, and its attempt goes on then. */
  postpone: { from: ["running"], to: "queued", lock: "held", unlessCancelled: true },
  fail: { from: ["running"], to: "failed", lock: "held", endsExecution: true },
  /** A run that is not being executed is cancelled at once. The cancellation stays in force: nothing has read it. */
  cancel: { from: ["queued", "paused"], to: "cancelled", lock: "none" },
  /** A paused run was answered: it is queued again. */
  continue: { from: ["paused"], to: "queued", lock: "none", unlessCancelled: true },
  /** The sweeper releases a job whose worker went silent, while attempts are left. */
  release: { from: ["running"], to: "queued", lock: "stale", unlessCancelled: true },
  /** The sweeper ends a job whose worker went silent on its last attempt. */
  abandon: { from: ["running"], to: "failed", lock: "stale", endsExecution: true },
  /** The sweeper reconciles a job with a run record that had already ended. */
  reconcileCompleted: { from: ["running"], to: "completed", lock: "stale", endsExecution: true },
  reconcileCancelled: { from: ["running"], to: "cancelled", lock: "stale", endsExecution: true },
  reconcilePaused: {
    from: ["running"],
    to: "paused",
    lock: "stale",
    unlessCancelled: true,
    endsExecution: true,
  },
  /** The job's message became a dead letter before any worker could claim the job. */
  failDeadLetter: { from: ["queued"], to: "failed", lock: "none" },
  requeue: { from: ["failed", "cancelled"], to: "queued", lock: "none" },
} as const satisfies Record<string, Transition>;

export type JobMove = keyof typeof jobTransitions;
export const jobMoves = Object.keys(jobTransitions) as JobMove[];
