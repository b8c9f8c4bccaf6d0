import type { Clock } from "../runtime/clock.ts";

/** Limits how many runs of one user are executed at once. */
export type RunningGauge = {
  /**
   * @param limit  runs of the user that may be executed at once
   * @returns      whether this one may be claimed; it is counted from then on
   */
  readonly admit: (userId: string | null, jobId: string, limit: number) => Promise<boolean>;
};

/** The index has caught up with a claim after this. */
const SETTLING_MS = 1_000;

/**
 * Counts a user's running jobs in the index, which is cheap but eventually consistent. Runs that were admitted here
 * within the last second are counted too, so that runs of one batch do not all pass. Workers in other processes may
 * still overshoot.
 *
 * @param listRunning  ids of a user's running jobs, as far as the index knows
 * @decided ours; exact would be a counter per user, a hot item in the transaction of every claim and ending
 */
export function createRunningGauge(
  listRunning: (userId: string | null) => Promise<string[]>,
  clock: Pick<Clock, "now">,
): RunningGauge {
  let admitted: readonly { userId: string | null; jobId: string; at: number }[] = [];
  return {
    async admit(userId, jobId, limit) {
      const running = new Set(await listRunning(userId));
      const now = clock.now();
      admitted = admitted.filter(({ at }) => now - at < SETTLING_MS);
      for (const run of admitted) if (run.userId === userId) running.add(run.jobId);
      running.delete(jobId);
      if (running.size >= limit) return false;
      admitted = [...admitted, { userId, jobId, at: now }];
      return true;
    },
  };
}
