import type { CheckLocksDeps } from "../../shared/engine/lifecycle/check-locks.ts";
import type { Recovered } from "../../shared/engine/lifecycle/recover-stale-jobs.ts";

export type SweeperDeps = CheckLocksDeps & {
  readonly settings: {
    readonly PAUSE_LIFE_SECONDS: number;
    readonly APPROVAL_EXPIRES_SECONDS: number;
  };
};

export type Swept = Recovered & {
  /** Paused workflows that were continued because their question timed out. */
  readonly overdue: number;
  /** Paused jobs that nobody answered within their life. */
  readonly forgotten: number;
  /** Queued jobs whose message was sent again. */
  readonly resent: number;
  /** Jobs that waited without a message and were sent one. */
  readonly woken: number;
  /** Approvals that nobody resolved in time. */
  readonly expired: number;
  /** Endings that were added to a counter later. */
  readonly counted: number;
  /** Jobs that were moved into the partitions of the index that are read. */
  readonly moved: number;
};
