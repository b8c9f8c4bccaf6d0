import type { Clock } from "../runtime/clock.ts";

/** Counts the runs of each user that are executed, for the limit of how many may be at once. */
export type RunningGauge = {
  /**
   * Takes a place for a run.
   *
   * @param limit  runs of the user that may be executed at once
   * @param ended  runs that are known to have ended, whatever the index shows
   * @returns      whether there was one; it counts from then on, until the index shows the run or it is given back
   */
  readonly take: (
    userId: string,
    jobId: string,
    limit: number,
    ended?: ReadonlySet<string>,
  ) => Promise<Taken>;
  /** Whether a place was taken here for a run that the index may not show yet. */
  readonly isTaken: (jobId: string) => boolean;
  /** Gives back the place of a run that was not claimed, or that has ended. */
  readonly giveBack: (jobId: string) => void;
};

export type Taken =
  | {
      readonly taken: true;
      /** Whether half of the places or more are taken now: others of the user may wait. */
      readonly isCrowded: boolean;
    }
  | {
      readonly taken: false;
      /** Ids of the runs that have the places. */
      readonly by: readonly string[];
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
  listRunning: (userId: string) => Promise<readonly string[]>,
  clock: Pick<Clock, "now">,
): RunningGauge {
  let admitted: readonly { userId: string; jobId: string; at: number }[] = [];
  return {
    async take(userId, jobId, limit, ended = new Set()) {
      const running = new Set(await listRunning(userId));
      const now = clock.now();
      admitted = admitted.filter(({ at }) => now - at < SETTLING_MS);
      for (const run of admitted) if (run.userId === userId) running.add(run.jobId);
      for (const id of [jobId, ...ended]) running.delete(id);
      if (running.size >= limit) return { taken: false, by: [...running] };
      admitted = [...admitted, { userId, jobId, at: now }];
      return { taken: true, isCrowded: running.size + 1 >= limit / 2 };
    },
    isTaken: (jobId) => admitted.some((run) => run.jobId === jobId),
    giveBack(jobId) {
      admitted = admitted.filter((run) => run.jobId !== jobId);
    },
  };
}
