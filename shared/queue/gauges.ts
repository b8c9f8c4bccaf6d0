import type { Clock } from "../runtime/clock.ts";

/** Queued jobs at which a submission is refused; 0 sets no limit. */
export type DepthLimits = { readonly all: number; readonly ofUser: number };

/** Answers whether the queue has room, and reads the store only when it has to. */
export type DepthGauge = {
  /** @returns which limit a user's submission would exceed; undefined when there is room */
  readonly exceeded: (userId: string | null, limits: DepthLimits) => Promise<keyof DepthLimits | undefined>;
  /** Counts a job that this process has queued. */
  readonly countAccepted: () => void;
};

/** A reading that is older is replaced. */
const FRESH_MS = 1_000;
/** One that is older still is not trusted: the submission waits for the new one. */
const USABLE_MS = 10_000;

/**
 * The depth is checked without a lock: concurrent submissions may overshoot. Far below the lowest limit a submission does
 * not wait for a reading of the last ten seconds to be replaced; the next one has the new reading, plus what this process
 * has accepted since. From half that limit on every submission reads the store. While all users together have fewer
 * jobs than one may have, those of the user are not counted.
 */
export function createDepthGauge(
  counts: {
    readonly all: () => Promise<number>;
    readonly ofUser: (userId: string) => Promise<number>;
  },
  clock: Pick<Clock, "now">,
): DepthGauge {
  let known = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  const read = async (): Promise<void> => {
    const startedAt = clock.now();
    known = await counts.all();
    readAt = startedAt;
  };
  let isReplacing = false;
  /** A reading that fails is made again by the next submission, which waits for it once this one is too old. */
  const replace = async (): Promise<void> => {
    if (isReplacing) return;
    isReplacing = true;
    await read().catch(() => undefined);
    isReplacing = false;
  };
  return {
    async exceeded(userId, limits) {
      const all = limits.all || Number.POSITIVE_INFINITY;
      const ofUser = (userId !== null && limits.ofUser) || Number.POSITIVE_INFINITY;
      const lowest = Math.min(all, ofUser);
      if (lowest === Number.POSITIVE_INFINITY) return undefined;
      const ageMs = clock.now() - readAt;
      if (known < lowest / 2 && ageMs < USABLE_MS) {
        if (ageMs >= FRESH_MS) void replace();
        return undefined;
      }
      await read();
      if (known >= all) return "all";
      if (userId === null || known < ofUser) return undefined;
      return (await counts.ofUser(userId)) >= ofUser ? "ofUser" : undefined;
    },
    countAccepted() {
      known += 1;
    },
  };
}

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
