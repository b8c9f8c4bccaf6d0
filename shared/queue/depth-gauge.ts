import type { Clock } from "../runtime/clock.ts";

/** Says whether the queue has room, reading the store only when it has to. */
export type DepthGauge = {
  /** @param limit  queued jobs at which the queue is full */
  readonly hasRoom: (limit: number) => Promise<boolean>;
  /** Tells that one more job was queued from here. */
  readonly countAccepted: () => void;
};

/** A reading older than this is not trusted. */
const FRESH_MS = 1_000;

/**
 * The depth is checked as well as it can be without a lock: submissions at the same moment may overshoot. Far below
 * the limit a reading serves for a second, with what was accepted here since added to it; from half the limit on the
 * store is asked every time.
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
      const from = clock.now();
      known = await countQueued();
      readAt = from;
      return known < limit;
    },
    countAccepted() {
      known += 1;
    },
  };
}
