import type { DepthStore } from "../domain/jobs/queue-depth.ts";
import type { Clock } from "../runtime/clock.ts";
import { createDepthEstimate, type DepthEstimate } from "./depth-estimate.ts";

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
