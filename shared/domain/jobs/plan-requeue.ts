import { ServiceError } from "../../errors.ts";
import type { QueueJob } from "../../schemas/queue/queue-job.ts";

/** What a requeue writes: one more execution, and no more than one. */
export type RequeuePlan = {
  readonly max_attempts: number;
  /** The last attempt that may be made; the visible budget may be larger than what is still allowed. */
  readonly attempt_ceiling: number;
  /** Whether a recorded cancellation is cleared. */
  readonly clearsCancellation: boolean;
};

/**
 * Decides whether a stopped job may run once more.
 *
 *   failed ─────────── lock_grace ───────────▶ time
 *     │  needs force: its worker may still    │  free
 *     │  be alive                             │
 *
 * @param confirmed  what the operator confirmed in the request
 * @param now    epoch seconds
 * @throws       ServiceError CONFLICT inside the lock grace without `force`; BAD_REQUEST for a job that is neither
 *               failed nor cancelled
 */
export function planRequeue(
  job: QueueJob,
  confirmed: { force: boolean; clear_cancellation: boolean },
  now: number,
  lockGraceSeconds: number,
): RequeuePlan {
  if (job.status !== "failed" && job.status !== "cancelled") {
    throw new ServiceError(
      "BAD_REQUEST",
      `job ${job.id} is ${job.status}; only failed or cancelled jobs can be requeued`,
    );
  }
  if (job.status === "failed" && !confirmed.force && now - job.completed_at < lockGraceSeconds) {
    throw new ServiceError(
      "CONFLICT",
      `job ${job.id} failed less than ${lockGraceSeconds} seconds ago and its worker may still be running; repeat with force=true to run it anyway`,
    );
  }
  return {
    max_attempts: job.max_attempts + 1,
    attempt_ceiling: job.attempt + 1,
    clearsCancellation: confirmed.clear_cancellation,
  };
}
