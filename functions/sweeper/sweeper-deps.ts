import type { RunQueue } from "../../shared/queue/run-queue.ts";
import type { Clock } from "../../shared/runtime/clock.ts";
import type { Log } from "../../shared/runtime/log.ts";
import type { Meter } from "../../shared/runtime/meter.ts";
import type { Db } from "../../shared/stores/db.ts";

export type SweeperDeps = {
  readonly db: Db;
  readonly queue: RunQueue;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter?: Meter;
  readonly settings: {
    readonly LOCK_GRACE_SECONDS: number;
    readonly MAX_RUNNING_PER_USER: number;
    readonly JOB_RETENTION_SECONDS: number;
    readonly EXECUTION_TIMEOUT_SECONDS: number;
    readonly PAUSE_LIFE_SECONDS: number;
    readonly APPROVAL_EXPIRES_SECONDS: number;
  };
};

export type Swept = {
  /** Stale jobs that are queued again. */
  readonly released: number;
  /** Stale jobs that failed because no attempt was left. */
  readonly failed: number;
  /** Stale jobs whose run had already ended. */
  readonly settled: number;
  /** Runs between two workers whose hand-off was sent again. */
  readonly resumed: number;
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
};
