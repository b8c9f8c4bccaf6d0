import type { Clock } from "../../shared/runtime/clock.ts";
import type { Log } from "../../shared/runtime/log.ts";
import type { Scheduler } from "../../shared/scheduler/scheduler.ts";
import type { Db } from "../../shared/stores/db.ts";

export type ReconcileDeps = {
  readonly db: Db;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly log: Log;
};

/** What one comparison found and did. */
export type Reconciled = {
  /** Schedules that are enabled. */
  readonly enabled: number;
  /** Schedules that would not have fired. They do now. */
  readonly repaired: number;
  /** Schedules whose entries went with an earlier group, and that have them again. */
  readonly restored: number;
  /** Schedules without entries that were written a moment ago: their entries may be on their way. */
  readonly unsettled: number;
  /** Entries that belonged to no schedule, and that are removed now. */
  readonly dropped: number;
  /** Slots that no message came for, and that are on record now. */
  readonly missed: number;
  /** Removed schedules of which nothing is left now. */
  readonly purged: number;
};
