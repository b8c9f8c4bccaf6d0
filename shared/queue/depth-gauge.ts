import type { Clock } from "../runtime/clock.ts";

/** Answers whether the queue has room, and reads the store only when it has to. */
export type DepthGauge = {
  /** @param limit  queued jobs at which the queue is full */
  readonly hasRoom: (limit: number) => Promise<boolean>;
  /** Counts a job that this process has queued. */
  readonly countAccepted: () => void;
};

/** A reading that is older is replaced. */
const FRESH_MS = 1_000;
/** One that is older still is not trusted: the submission waits for the new one. */
const USABLE_MS = 10_000;

/**
 * The depth is checked without a lock: concurrent submissions may overshoot. Far below the limit a submission does not
 * wait for a reading of the last ten seconds to be replaced; the next one has the new reading, plus what this process
 * has accepted since. From half the limit on every submission reads the store.
 *
 * @source contract, runs-and-queue 10.4, "Depth check"
 */
export function createDepthGauge(countQueued: () => Promise<number>, clock: Pick<Clock, "now">): DepthGauge {
  let known = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  const read = async (): Promise<void> => {
    const startedAt = clock.now();
    known = await countQueued();
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
    async hasRoom(limit) {
      const ageMs = clock.now() - readAt;
      if (known < limit / 2 && ageMs < USABLE_MS) {
        if (ageMs >= FRESH_MS) void replace();
        return true;
      }
      await read();
      return known < limit;
    },
    countAccepted() {
      known += 1;
    },
  };
}
