import { COUNTING_MS, type DepthStore, type QueueDepth } from "../domain/jobs/queue-depth.ts";
import type { Clock } from "../runtime/clock.ts";

/** How many jobs wait, as one process knows it, and whether one more may. */
export type DepthEstimate = {
  /** At least as many jobs wait, as far as is known. */
  readonly known: () => number;
  /** Looks again, unless a recent look showed fewer jobs than these: then it does so without being waited for. */
  readonly look: (few: number) => Promise<void>;
  /** Takes a place for one job. @returns false when as many wait as may */
  readonly admit: (limit: number) => Promise<boolean>;
  /** Counts a job that this process has queued. */
  readonly countAccepted: () => void;
};

/** A look that is older is replaced. */
const FRESH_MS = 1_000;
/** One that is older still is not trusted: the submission waits for the new one. */
const USABLE_MS = 10_000;
/** A shared reading is of use for so long after a new one was due. */
const OVERDUE_MS = 60_000;
/** Fewer waiting jobs than these are counted by each process for itself, for five read units at most. */
export const SHARED_FROM = 100;
/** Places that a process takes at once at most, and submissions that one look at few jobs serves. */
export const MOST_PLACES = 8;
/** A process takes this part of the room at most. */
const PART_OF_ROOM = 64;
/** Keys that are counted in a second on average, by all processes: about 530 read units. */
const COUNTED_PER_SECOND = 10_000;
/** Readings of others that a submission meets before it is refused. */
const MOST_TRIES = 5;

/** How long a shared reading is used before the jobs are counted again: 1 s up to 10,000 jobs, 30 s for 300,000. */
export const intervalOf = (counted: number): number =>
  Math.max(FRESH_MS, (counted / COUNTED_PER_SECOND) * 1000);

/**
 * Few jobs are counted in the index, by each process for itself. From a hundred on processes share a reading: one of them
 * counts, at times that grow with the number, and each takes places from what is left, a few at a time.
 *
 *   < 100 waiting   count ─▶ so many
 *   ≥ 100 waiting   places in hand? ─▶ take some of the shared reading ─▶ due? ─▶ one process counts anew
 *
 * What waits exceeds the limit by at most `MOST_PLACES` for each process (places that a process had in hand when another
 * one counted), and by what enters the queue without being asked here: retries, answers to paused runs. Jobs that leave the queue
 * make room with the next count.
 *
 * @param of  the user whose jobs are counted; null for those of all
 */
export function createDepthEstimate(
  store: DepthStore,
  of: string | null,
  clock: Pick<Clock, "now">,
): DepthEstimate {
  let alone = { known: 0, readAt: Number.NEGATIVE_INFINITY, served: 0 };
  let shared: (QueueDepth & { readonly seenAt: number }) | undefined;
  let hand = { left: 0, until: Number.NEGATIVE_INFINITY };

  const isOfUse = (depth: QueueDepth | undefined): depth is QueueDepth =>
    depth !== undefined && clock.now() - depth.counted_at < intervalOf(depth.counted) + OVERDUE_MS;
  const adopt = (depth: QueueDepth): void => {
    const isShared = depth.counted >= SHARED_FROM;
    shared = isShared ? { ...depth, seenAt: clock.now() } : undefined;
    if (!isShared) alone = { known: depth.base + depth.taken, readAt: depth.counted_at, served: 0 };
  };

  /** Counts, or finds that others have. */
  const find = async (): Promise<void> => {
    const startedAt = clock.now();
    if (startedAt - alone.readAt >= USABLE_MS) {
      const found = await store.read(of);
      if (isOfUse(found)) return adopt(found);
    }
    const counted = await store.count(of);
    if (counted < SHARED_FROM) {
      alone = { known: counted, readAt: startedAt, served: 0 };
      shared = undefined;
      return;
    }
    const others = await store.read(of);
    const depth = isOfUse(others)
      ? others
      : await store.record(of, { counted, counted_at: startedAt, replaces: undefined });
    if (depth) adopt(depth);
  };

  const isDue = ({ counted, counted_at, counting_at = 0 }: QueueDepth): boolean =>
    clock.now() - counted_at >= intervalOf(counted) && clock.now() - counting_at > COUNTING_MS;
  /** Counts anew, unless another process does: then its last reading is used. */
  const countAnew = async (seen: QueueDepth): Promise<void> => {
    const replaces = await store.begin(of, seen, clock.now());
    const counted_at = clock.now();
    const depth = replaces
      ? await store.record(of, { counted: await store.count(of), counted_at, replaces })
      : await store.read(of);
    if (isOfUse(depth)) adopt(depth);
    else shared = undefined;
  };

  /** @returns whether places were taken; undefined when the reading was another one, which is known now */
  const take = async (limit: number): Promise<boolean | undefined> => {
    if (shared && isDue(shared)) await countAnew(shared);
    if (!shared) return undefined;
    const seen = shared;
    const room = limit - seen.base - seen.taken;
    if (room <= 0 && clock.now() - seen.seenAt < FRESH_MS) return false;
    const places = Math.min(MOST_PLACES, Math.max(1, Math.floor(room / PART_OF_ROOM)));
    const { taken, depth } = await store.take(of, seen, places, limit);
    if (depth) adopt(depth);
    else shared = undefined;
    if (taken) hand = { left: places, until: clock.now() + FRESH_MS };
    if (taken) return true;
    return depth?.counted_at === seen.counted_at && places === 1 ? false : undefined;
  };
  let taking: Promise<boolean | undefined> | undefined;
  /** Submissions of one process take places together. */
  const takeTogether = (limit: number): Promise<boolean | undefined> => {
    taking ??= take(limit).finally(() => {
      taking = undefined;
    });
    return taking;
  };

  let isReplacing = false;
  /** A look that fails is made again by the next submission, which waits for it once this one is too old. */
  const replace = async (): Promise<void> => {
    if (isReplacing) return;
    isReplacing = true;
    await find().catch(() => undefined);
    isReplacing = false;
  };

  return {
    known: () => (shared ? shared.base + shared.taken : alone.known),
    async look(few) {
      if (shared) return;
      const ageMs = clock.now() - alone.readAt;
      const serves = alone.known < few && ageMs < USABLE_MS && alone.served < MOST_PLACES;
      if (!serves) return find();
      if (ageMs >= FRESH_MS) void replace();
    },
    async admit(limit) {
      if (limit === Number.POSITIVE_INFINITY) return true;
      for (let tries = 0; tries < MOST_TRIES; ) {
        if (!shared) {
          if (tries > 0) await find();
          if (!shared) {
            alone.served += 1;
            return alone.known < limit;
          }
        }
        if (hand.left > 0 && clock.now() < hand.until) {
          hand.left -= 1;
          return true;
        }
        const taken = await takeTogether(limit);
        if (taken === false) return false;
        if (taken === undefined) tries += 1;
      }
      return false;
    },
    countAccepted() {
      alone.known += 1;
    },
  };
}
