import { checkLocks } from "../../shared/engine/lifecycle/check-locks.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { Log } from "../../shared/runtime/log.ts";
import { addUncounted } from "../../shared/stores/jobs/counters.ts";
import { applyPauseTimeouts } from "./apply-pause-timeouts.ts";
import { cancelForgottenPauses } from "./cancel-forgotten-pauses.ts";
import { expireApprovals } from "./expire-approvals.ts";
import { measureQueue } from "./measure-queue.ts";
import { moveIndexRows } from "./move-index-rows.ts";
import { resendLostMessages } from "./resend-lost-messages.ts";
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

/** What is looked after in a round for jobs once their messages were sent, in this order. @param now epoch seconds */
const jobSweeps: Readonly<Record<string, (deps: SweeperDeps, now: number) => Promise<number>>> = {
  overdue: applyPauseTimeouts,
  forgotten: cancelForgottenPauses,
  expired: expireApprovals,
  counted: ({ db }) => addUncounted(db),
  moved: moveIndexRows,
};

/** First jobs of silent workers, then queued jobs without a message, then the rows above. */
async function sweepJobs(deps: SweeperDeps, { step }: Round, now: number): Promise<Record<string, number>> {
  const recovered = await step("recovered", () => checkLocks(deps, { isRound: true }));
  const waiting = await step("notified", () => wakeWaitingJobs(deps, now));
  // A message for a job that waits without one does no harm: its worker notes the wait again.
  const waits = waiting?.jobIds ?? new Set<string>();
  const resent = await step("resent", () => resendLostMessages(deps, waits, now));
  await step("measured", () => measureQueue(deps, now));
  const swept: Record<string, number> = {
    ...recovered,
    resent: resent ?? 0,
    notified: waiting?.notified ?? 0,
  };
  for (const [name, take] of Object.entries(jobSweeps))
    swept[name] = (await step(name, () => take(deps, now))) ?? 0;
  return swept;
}

/** One round of the sweeper: steps that do not keep each other from being taken. */
type Round = {
  /** Takes a step. @returns undefined where it failed, which is in the log */
  readonly step: <T>(name: string, take: () => Promise<T>) => Promise<T | undefined>;
  /** @throws the first error, once every step was taken: then the round counts as failed, and an alarm sees it */
  readonly end: () => void;
};

function beginRound(log: Pick<Log, "error">): Round {
  const faults: unknown[] = [];
  return {
    async step(name, take) {
      try {
        return await take();
      } catch (error) {
        log.error("a step of the sweeper failed", { step: name, error });
        faults.push(error);
        return undefined;
      }
    },
    end() {
      if (faults.length > 0) throw faults[0];
    },
  };
}
