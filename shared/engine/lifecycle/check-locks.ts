import { planLockCheck } from "../../domain/jobs/plan-lock-check.ts";
import { type LockCheckQueue, MAX_CHECK_DELAY_SECONDS } from "../../queue/lock-check-queue.ts";
import { type Clock, epochSeconds } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import type { Meter } from "../../runtime/metrics/meter.ts";
import type { Db } from "../../stores/db.ts";
import { reserveLockCheck } from "../../stores/jobs/lock-check.ts";
import { type Recovered, type RecoveryNeeds, recoverStaleJobs } from "./recover-stale-jobs.ts";

export type CheckLocksDeps = RecoveryNeeds &
  LockCheckNeeds & {
    readonly clock: Clock;
    readonly log: Log;
    readonly meter?: Meter;
  };

/**
 * Looks at the locks of all running jobs: recovers those whose worker is silent, and has the others looked at again when
 * the first of them can be stale. Where nothing runs no further check is sent, so the chain of checks ends by itself;
 * the sweeper begins the next one.
 *
 * A round of the sweeper sends its check in any case: the one that is under way by its record may have been lost, and so
 * a lost one is replaced before a lock is stale, where the lock grace is a minute or more. Of two checks that come, only
 * one sends the next.
 *
 * Any number of processes may do this at the same time: every recovery is a conditional write.
 */
export async function checkLocks(
  deps: CheckLocksDeps,
  { isRound = false }: { readonly isRound?: boolean } = {},
): Promise<Recovered> {
  const { recovered, lockedAt } = await recoverStaleJobs(deps, epochSeconds(deps.clock));
  recordCrashes(deps.meter, recovered);
  const now = epochSeconds(deps.clock);
  const next = planLockCheck(lockedAt, now, deps.settings.LOCK_GRACE_SECONDS);
  if (next !== undefined) {
    await requestLockCheck(deps, next, now, !isRound).catch((error) =>
      deps.log.warn("could not enqueue the next lock check", { error: String(error) }),
    );
  }
  return recovered;
}

function recordCrashes(meter: Meter | undefined, { released, failed, settled }: Recovered): void {
  if (released + failed > 0) meter?.record({ Failures: released + failed }, "crash");
  const crashes = released + failed + settled;
  if (crashes > 0) meter?.record({ Crashes: crashes }, undefined, { kind: "run" });
  if (failed > 0) meter?.record({ RunsFailed: failed });
}

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
