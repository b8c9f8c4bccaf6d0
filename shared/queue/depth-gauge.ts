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
