import type { ScheduleQueue } from "../../shared/queue/schedule-queue.ts";
import type { Clock } from "../../shared/runtime/clock.ts";
import type { Log } from "../../shared/runtime/log.ts";
import type { Schedule } from "../../shared/schemas/schedule.ts";
import type { ScheduleRunRef } from "../../shared/schemas/schedule-run.ts";
import type { Db } from "../../shared/stores/db.ts";
import type { StoredSchedule } from "../../shared/stores/schedules/schedule-item.ts";
import type { CallEndpoint } from "./call-endpoint.ts";

/** What is left to do: nothing, or to look once more at an attempt that somebody else was at meanwhile. */
export type Step = "done" | ScheduleRunRef;

export type ExecutorDeps = {
  readonly db: Db;
  readonly queue: ScheduleQueue;
  readonly call: CallEndpoint;
  /** The first slot after an instant, both epoch seconds; null when there is none. */
  readonly nextSlot: (schedule: Pick<Schedule, "cron_expr" | "timezone">, after: number) => number | null;
  /** Switches a schedule off, and says why. */
  readonly disable: (schedule: StoredSchedule, reason: string) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
};
