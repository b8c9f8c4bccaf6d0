import { isStaleBeforeRound, planLockCheck, servingInstead } from "../../domain/jobs/plan-lock-check.ts";
import { type LockCheckNeeds, requestLockCheck } from "../../engine/lifecycle/check-locks.ts";
import type { Log } from "../../runtime/log.ts";

/**
 * Called with every lock that this process takes. It does not fail: without the check the sweeper finds the lock.
 *
 * @param lockedAt  epoch seconds
 */
export type AskForLockCheck = (lockedAt: number) => Promise<void>;

type Needs = LockCheckNeeds & { readonly log: Pick<Log, "warn"> };

/**
 * Asks for a check when a lock is taken that could be stale before the sweeper's next round. The process remembers which
 * check is under way, so it asks about once in a lock grace, however many jobs it claims.
 */
export function lockCheckAsker(needs: Needs, lockGraceSeconds: number): AskForLockCheck {
  if (!isStaleBeforeRound(lockGraceSeconds)) return async () => undefined;
  let coming = Number.NEGATIVE_INFINITY;
  return async (lockedAt) => {
    const needed = planLockCheck([lockedAt], lockedAt, lockGraceSeconds) ?? lockedAt;
    const { earliest, latest } = servingInstead(needed, lockedAt);
    if (coming >= earliest && coming <= latest) return;
    // Before the request, so that other jobs of the batch do not ask too.
    coming = needed;
    try {
      coming = await requestLockCheck(needs, needed, lockedAt);
    } catch (error) {
      coming = Number.NEGATIVE_INFINITY;
      needs.log.warn("could not request a lock check", { error: String(error) });
    }
  };
}
