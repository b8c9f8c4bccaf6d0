import type { ScheduleQueue } from "../../shared/queue/schedule-queue.ts";
import type { Clock } from "../../shared/runtime/clock.ts";
import type { Log } from "../../shared/runtime/log.ts";
import type { Meter } from "../../shared/runtime/metrics/meter.ts";
import type { OwnerRefusalOf } from "../../shared/scheduler/owner-refusal-in.ts";
import type { Scheduler } from "../../shared/scheduler/scheduler.ts";
import type { ScheduleRunRef } from "../../shared/schemas/schedules/schedule-run.ts";
import type { Db } from "../../shared/stores/db.ts";
import type { CallEndpoint } from "./call-endpoint.ts";

/** What is left to do: nothing, or to read an attempt again that another process has changed. */
export type Step = "done" | ScheduleRunRef;

export type ExecutorDeps = {
  readonly db: Db;
  readonly queue: ScheduleQueue;
  readonly call: CallEndpoint;
  readonly ownerRefusalOf: OwnerRefusalOf;
  readonly scheduler: Pick<Scheduler, "remove">;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter?: Meter;
};
