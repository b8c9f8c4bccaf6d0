import type { LockCheckQueue } from "../../queue/lock-check-queue.ts";
import { MAX_CHECK_DELAY_SECONDS } from "../../queue/lock-check-queue.ts";
import type { Db } from "../../stores/db.ts";
import { reserveLockCheck } from "../../stores/jobs/lock-check.ts";

export type LockCheckNeeds = { readonly db: Db; readonly lockChecks: LockCheckQueue };

/**
 * Has the locks looked at by an instant: sends a check, unless one is under way that comes in time. Where the instant is
 * further away than a message can be delayed, the check comes earlier and asks for the next.
 *
 * @param needed  epoch seconds
 * @param now     epoch seconds
 * @param trusts  false to send one in any case
 * @returns       when the check comes that is under way; epoch seconds
 */
export async function requestLockCheck(
  { db, lockChecks }: LockCheckNeeds,
  needed: number,
  now: number,
  trusts = true,
): Promise<number> {
  const at = Math.min(needed, now + MAX_CHECK_DELAY_SECONDS);
  const { reserved, due_at } = await reserveLockCheck(db, at, now, trusts);
  if (reserved) await lockChecks.send({ check: "locks" }, at - now);
  return due_at;
}
