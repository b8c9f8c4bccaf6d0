import { checkLocks } from "../../shared/engine/lifecycle/check-locks.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { addUncounted } from "../../shared/stores/jobs/counters.ts";
import { applyPauseTimeouts } from "./apply-pause-timeouts.ts";
import { cancelForgottenPauses } from "./cancel-forgotten-pauses.ts";
import { expireApprovals } from "./expire-approvals.ts";
import { measureQueue } from "./measure-queue.ts";
import { moveIndexRows } from "./move-index-rows.ts";
import { resendLostMessages } from "./resend-lost-messages.ts";
import type { SweeperDeps, Swept } from "./sweeper-deps.ts";
import { wakeWaitingJobs } from "./wake-waiting-jobs.ts";

/**
 * One round: first jobs of silent workers, then queued jobs without a message, then paused ones that have timed out,
 * those that nobody answers, expired approvals, endings that no counter had room for, and jobs in partitions of the index
 * that are no longer read. It makes sure that no job stays
 * for ever in a state that is not final.
 */
export async function sweep(deps: SweeperDeps): Promise<Swept> {
  const now = epochSeconds(deps.clock);
  const recovered = await checkLocks(deps, { isRound: true });
  const waiting = await wakeWaitingJobs(deps, now);
  const resent = await resendLostMessages(deps, waiting.jobIds, now);
  const overdue = await applyPauseTimeouts(deps, now);
  const forgotten = await cancelForgottenPauses(deps, now);
  const expired = await expireApprovals(deps, now);
  await measureQueue(deps, now);
  const counted = await addUncounted(deps.db);
  const moved = await moveIndexRows(deps, now);
  const swept = { ...recovered, resent, woken: waiting.woken, overdue, forgotten, expired, counted, moved };
  if (Object.values(swept).some((n) => n > 0)) deps.log.info("swept", swept);
  return swept;
}
