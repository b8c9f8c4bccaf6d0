import { COUNTING_MS, type DepthStore, type QueueDepth } from "../domain/jobs/queue-depth.ts";
import type { Clock } from "../runtime/clock.ts";

/** Queued jobs at which a submission is refused; 0 sets no limit. */
export type DepthLimits = { readonly all: number; readonly ofUser: number };

/** Answers whether the queue has room, and reads the store only when it has to. */
export type DepthGauge = {
  /** @returns which limit a user's submission would exceed; undefined when there is room, of which it takes a place */
  readonly exceeded: (userId: string | null, limits: DepthLimits) => Promise<keyof DepthLimits | undefined>;
  /** Counts a job that this process has queued. */
  readonly countAccepted: () => void;
};

/** Users whose waiting jobs one process keeps an estimate of. */
const MOST_USERS = 500;

/**
 * Far below the lowest limit a submission does not wait for a look of the last ten seconds to be replaced. Above that it takes a
 * place. While all users together have fewer jobs than one may have, those of the user are not counted.
 *
 * @decided docs/decisions/2026-11-27-admission.md
 */
export function createDepthGauge(store: DepthStore, clock: Pick<Clock, "now">): DepthGauge {
  const all = createDepthEstimate(store, null, clock);
  const users = new Map<string, DepthEstimate>();
  const ofUser = (userId: string): DepthEstimate => {
    const known = users.get(userId);
    if (known) return known;
    if (users.size >= MOST_USERS) users.clear();
    const made = createDepthEstimate(store, userId, clock);
    users.set(userId, made);
    return made;
  };
  return {
    async exceeded(userId, limits) {
      const mostOfAll = limits.all || Number.POSITIVE_INFINITY;
      const mostOfUser = (userId !== null && limits.ofUser) || Number.POSITIVE_INFINITY;
      const lowest = Math.min(mostOfAll, mostOfUser);
      if (lowest === Number.POSITIVE_INFINITY) return undefined;
      await all.look(lowest / 2);
      // First the user's place: one who has too many takes none of those of all.
      if (userId !== null && all.known() < mostOfAll && all.known() >= mostOfUser) {
        const own = ofUser(userId);
        await own.look(0);
        if (!(await own.admit(mostOfUser))) return "ofUser";
      }
      return (await all.admit(mostOfAll)) ? undefined : "all";
    },
    countAccepted: () => all.countAccepted(),
  };
}

/** How many jobs wait, as one process knows it, and whether one more may. */
type DepthEstimate = {
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
const SHARED_FROM = 100;
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
const createDepthEstimate = (
  store: DepthStore,
  of: string | null,
  clock: Pick<Clock, "now">,
): DepthEstimate => new SharedDepthEstimate(store, of, clock);

class SharedDepthEstimate implements DepthEstimate {
  private readonly store: DepthStore;
  private readonly of: string | null;
  private readonly clock: Pick<Clock, "now">;
  private alone = { known: 0, readAt: Number.NEGATIVE_INFINITY, served: 0 };
  private shared: (QueueDepth & { readonly seenAt: number }) | undefined;
  private hand = { left: 0, until: Number.NEGATIVE_INFINITY };
  private taking: Promise<boolean | undefined> | undefined;
  private isReplacing = false;

  constructor(store: DepthStore, of: string | null, clock: Pick<Clock, "now">) {
    this.store = store;
    this.of = of;
    this.clock = clock;
  }

  known(): number {
    return this.shared ? this.shared.base + this.shared.taken : this.alone.known;
  }

  async look(few: number): Promise<void> {
    if (this.shared) return;
    const ageMs = this.clock.now() - this.alone.readAt;
    const serves = this.alone.known < few && ageMs < USABLE_MS && this.alone.served < MOST_PLACES;
    if (!serves) return this.find();
    if (ageMs >= FRESH_MS) void this.replace();
  }

  async admit(limit: number): Promise<boolean> {
    if (limit === Number.POSITIVE_INFINITY) return true;
    for (let tries = 0; tries < MOST_TRIES; ) {
      if (!this.shared && tries > 0) await this.find();
      if (!this.shared) {
        this.alone.served += 1;
        return this.alone.known < limit;
      }
      if (this.hand.left > 0 && this.clock.now() < this.hand.until) {
        this.hand.left -= 1;
        return true;
      }
      const taken = await this.takeTogether(limit);
      if (taken === false) return false;
      if (taken === undefined) tries += 1;
    }
    return false;
  }

  countAccepted(): void {
    this.alone.known += 1;
  }

  private isOfUse(depth: QueueDepth | undefined): depth is QueueDepth {
    return (
      depth !== undefined && this.clock.now() - depth.counted_at < intervalOf(depth.counted) + OVERDUE_MS
    );
  }

  private adopt(depth: QueueDepth): void {
    const isShared = depth.counted >= SHARED_FROM;
    this.shared = isShared ? { ...depth, seenAt: this.clock.now() } : undefined;
    if (!isShared) this.alone = { known: depth.base + depth.taken, readAt: depth.counted_at, served: 0 };
  }

  /** Counts, or finds that others have. */
  private async find(): Promise<void> {
    const startedAt = this.clock.now();
    if (startedAt - this.alone.readAt >= USABLE_MS) {
      const found = await this.store.read(this.of);
      if (this.isOfUse(found)) return this.adopt(found);
    }
    const counted = await this.store.count(this.of);
    if (counted < SHARED_FROM) {
      this.alone = { known: counted, readAt: startedAt, served: 0 };
      this.shared = undefined;
      return;
    }
    const others = await this.store.read(this.of);
    const depth = this.isOfUse(others)
      ? others
      : await this.store.record(this.of, { counted, counted_at: startedAt, replaces: undefined });
    if (depth) this.adopt(depth);
  }

  /** A look that fails is made again by the next submission, which waits for it once this one is too old. */
  private async replace(): Promise<void> {
    if (this.isReplacing) return;
    this.isReplacing = true;
    await this.find().catch(() => undefined);
    this.isReplacing = false;
  }

  private isDue({ counted, counted_at, counting_at = 0 }: QueueDepth): boolean {
    const now = this.clock.now();
    return now - counted_at >= intervalOf(counted) && now - counting_at > COUNTING_MS;
  }

  /** Counts anew, unless another process does: then its last reading is used. */
  private async countAnew(seen: QueueDepth): Promise<void> {
    const replaces = await this.store.begin(this.of, seen, this.clock.now());
    const counted_at = this.clock.now();
    const depth = replaces
      ? await this.store.record(this.of, { counted: await this.store.count(this.of), counted_at, replaces })
      : await this.store.read(this.of);
    if (this.isOfUse(depth)) this.adopt(depth);
    else this.shared = undefined;
  }

  /** Submissions of one process take places together. */
  private takeTogether(limit: number): Promise<boolean | undefined> {
    this.taking ??= this.take(limit).finally(() => {
      this.taking = undefined;
    });
    return this.taking;
  }

  /** @returns whether places were taken; undefined when the reading was another one, which is known now */
  private async take(limit: number): Promise<boolean | undefined> {
    if (this.shared && this.isDue(this.shared)) await this.countAnew(this.shared);
    if (!this.shared) return undefined;
    const seen = this.shared;
    const room = limit - seen.base - seen.taken;
    if (room <= 0 && this.clock.now() - seen.seenAt < FRESH_MS) return false;
    const places = Math.min(MOST_PLACES, Math.max(1, Math.floor(room / PART_OF_ROOM)));
    const { taken, depth } = await this.store.take(this.of, seen, places, limit);
    if (depth) this.adopt(depth);
    else this.shared = undefined;
    if (taken) this.hand = { left: places, until: this.clock.now() + FRESH_MS };
    if (taken) return true;
    return depth?.counted_at === seen.counted_at && places === 1 ? false : undefined;
  }
}
