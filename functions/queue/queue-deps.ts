import type { QueueSwitch, RunQueue } from "../../shared/queue/run-queue.ts";
import type { Clock } from "../../shared/runtime/clock.ts";
import type { Log } from "../../shared/runtime/log.ts";
import type { Db } from "../../shared/stores/db.ts";

export type QueueDeps = {
  readonly db: Db;
  readonly queue: RunQueue;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: QueueSwitch & {
    readonly LOCK_GRACE_SECONDS: number;
    readonly JOB_RETENTION_SECONDS: number;
  };
};
