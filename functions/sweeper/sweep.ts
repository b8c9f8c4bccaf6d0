import { checkLocks } from "../../shared/engine/lifecycle/check-locks.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { addUncounted } from "../../shared/stores/jobs/counters.ts";
import { applyPauseTimeouts } from "./apply-pause-timeouts.ts";
import { cancelForgottenPauses } from "./cancel-forgotten-pauses.ts";
import { expireApprovals } from "./expire-approvals.ts";
import { measureQueue } from "./measure-queue.ts";
import { moveIndexRows } from "./move-index-rows.ts";
import { resendLostMessages } from "./resend-lost-messages.ts";
import { beginRound, type Round } from "./round.ts";
import type { SweeperDeps, Swept } from "./sweeper-deps.ts";
import { wakeWaitingJobs } from "./wake-waiting-jobs.ts";

/** What is looked after in a round beside jobs, by its name. @returns how many were found. @param now epoch seconds */
export type Sweeps = Readonly<Record<string, (now: number) => Promise<number>>>;

/**
 * One round. It makes sure that nothing stays for ever in a state that is not final. A step that fails does not keep the
 * others from being taken.
 *
 * @throws what failed first, once every step was taken
 */
export async function sweep(deps: SweeperDeps, sweeps: Sweeps = {}): Promise<Swept> {
  const round = beginRound(deps.log);
  const now = epochSeconds(deps.clock);
  const swept: Record<string, number> = await sweepJobs(deps, round, now);
  for (const [name, take] of Object.entries(sweeps)) {
    swept[name] = (await round.step(name, () => take(now))) ?? 0;
  }
  if (Object.values(swept).some((n) => n > 0)) deps.log.info("swept", swept);
  round.end();
  return swept;
}

/**
 * First jobs of silent workers, then queued jobs without a message, then paused ones that have timed out, those without
 * an answer, expired approvals, endings that no counter had room for, and jobs in partitions of the index that are no longer
 * read.
 */
async function sweepJobs(deps: SweeperDeps, { step }: Round, now: number): Promise<Record<string, number>> {
  const recovered = await step("recovered", () => checkLocks(deps, { isRound: true }));
  const waiting = await step("notified", () => wakeWaitingJobs(deps, now));
  // A message for a job that waits without one does no harm: its worker notes the wait again.
  const waits = waiting?.jobIds ?? new Set<string>();
  const resent = await step("resent", () => resendLostMessages(deps, waits, now));
  const overdue = await step("overdue", () => applyPauseTimeouts(deps, now));
  const forgotten = await step("forgotten", () => cancelForgottenPauses(deps, now));
  const expired = await step("expired", () => expireApprovals(deps, now));
  await step("measured", () => measureQueue(deps, now));
  const counted = await step("counted", () => addUncounted(deps.db));
  const moved = await step("moved", () => moveIndexRows(deps, now));
  const figures = {
    ...recovered,
    resent,
    notified: waiting?.notified,
    overdue,
    forgotten,
    expired,
    counted,
    moved,
  };
  return Object.fromEntries(Object.entries(figures).map(([name, n]) => [name, n ?? 0]));
}
