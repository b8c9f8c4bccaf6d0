import type { RunQueue } from "../../shared/queue/run-queue.ts";
import { type Clock, epochSeconds } from "../../shared/runtime/clock.ts";
import type { Log } from "../../shared/runtime/log.ts";
import type { Db } from "../../shared/stores/db.ts";
import { recoverStaleJobs } from "./recover-stale-jobs.ts";
import { resendLostMessages } from "./resend-lost-messages.ts";

export type SweeperDeps = {
  readonly db: Db;
  readonly queue: RunQueue;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: {
    readonly LOCK_GRACE_SECONDS: number;
    readonly JOB_RETENTION_SECONDS: number;
    readonly EXECUTION_TIMEOUT_SECONDS: number;
  };
};

export type Swept = {
  /** Stale jobs that are queued again. */
  readonly released: number;
  /** Stale jobs that failed, their budget being spent. */
  readonly failed: number;
  /** Stale jobs whose run had already ended. */
  readonly settled: number;
  /** Runs between two workers whose hand-off was sent again. */
  readonly resumed: number;
  /** Queued jobs whose message was sent again. */
  readonly resent: number;
};

/** One round: what silent workers left behind first, then queued jobs that nobody will be told about. */
export async function sweep(deps: SweeperDeps): Promise<Swept> {
  const now = epochSeconds(deps.clock);
  const recovered = await recoverStaleJobs(deps, now);
  const resent = await resendLostMessages(deps, now);
  const swept = { ...recovered, resent };
  if (Object.values(swept).some((n) => n > 0)) deps.log.info("swept", swept);
  return swept;
}
