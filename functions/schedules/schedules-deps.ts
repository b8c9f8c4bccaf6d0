import type { ScheduleQueue } from "../../shared/queue/schedule-queue.ts";
import type { Clock } from "../../shared/runtime/clock.ts";
import type { Log } from "../../shared/runtime/log.ts";
import type { OwnerRefusalOf } from "../../shared/scheduler/owner-refusal-in.ts";
import type { Scheduler } from "../../shared/scheduler/scheduler.ts";
import type { ScheduleTarget } from "../../shared/schemas/schedules/schedule.ts";
import type { Db } from "../../shared/stores/db.ts";

/** Whether a component may be run. `missing` is neither declared in code nor stored. */
export type ComponentState = "usable" | "archived" | "draft_only" | "missing";

export type SchedulesDeps = {
  readonly db: Db;
  readonly scheduler: Scheduler;
  readonly componentState: (target: ScheduleTarget) => Promise<ComponentState>;
  readonly ownerRefusalOf: OwnerRefusalOf;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Wakes the executor for an attempt. */
  readonly queue: ScheduleQueue;
  readonly log: Log;
  readonly settings: { readonly FETCH_ALLOWED_HOSTS: readonly string[] };
};
