import type { Clock } from "../runtime/clock.ts";

/** Answers whether the queue has room, and reads the store only when it has to. */
export type DepthGauge = {
  /** @param limit  queued jobs at which the queue is full */
  readonly hasRoom: (limit: number) => Promise<boolean>;
  /** Counts a job that this process has queued. */
  readonly countAccepted: () => void;
};

/** A reading older than this is not trusted. */
const FRESH_MS = 1_000;

/**
 * The depth is checked without a lock: concurrent submissions may overshoot. Far below the limit a reading is used for
 * a second, plus what this process has accepted since; from half the limit on the store is read every time.
 *
 * @source contract, runs-and-queue 10.4, "Depth check"
 */
export function createDepthGauge(countQueued: () => Promise<number>, clock: Pick<Clock, "now">): DepthGauge {
  let known = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    async hasRoom(limit) {
      const isFresh = clock.now() - readAt < FRESH_MS;
      if (isFresh && known < limit / 2) return true;
      const startedAt = clock.now();
      known = await countQueued();
      readAt = startedAt;
      return known < limit;
    },
    countAccepted() {
      known += 1;
    },
  };
}
