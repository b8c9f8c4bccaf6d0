import type { ScheduleQueue } from "../../shared/queue/schedule-queue.ts";
import type { Clock } from "../../shared/runtime/clock.ts";
import type { Log } from "../../shared/runtime/log.ts";
import type { Db } from "../../shared/stores/db.ts";

export type SchedulesDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Of attempts to look after. */
  readonly queue: ScheduleQueue;
  readonly log: Log;
};
