import { reconcile } from "../../functions/schedule-reconcile/reconcile.ts";
import { reconcileWhenDue } from "../../functions/schedule-reconcile/reconcile-when-due.ts";
import { createSchedule } from "../../functions/schedules/create-schedule.ts";
import { disableSchedule } from "../../functions/schedules/disable-schedule.ts";
import { enableSchedule } from "../../functions/schedules/enable-schedule.ts";
import { removeSchedule } from "../../functions/schedules/remove-schedule.ts";
import type { SchedulesDeps } from "../../functions/schedules/schedules-deps.ts";
import { updateSchedule } from "../../functions/schedules/update-schedule.ts";
import type { Principal } from "../../shared/auth/principal.ts";
import type { CreateScheduleBody, UpdateScheduleBody } from "../../shared/routes/schedules.ts";
import { type Clock, systemClock } from "../../shared/runtime/clock.ts";
import { newId } from "../../shared/runtime/ids.ts";
import { connectScheduler } from "../../shared/scheduler/connect-scheduler.ts";
import { ownerRefusalIn } from "../../shared/scheduler/owner-refusal-in.ts";
import type { Schedule } from "../../shared/schemas/schedules/schedule.ts";
import type { Db } from "../../shared/stores/db.ts";
import { getSchedule } from "../../shared/stores/schedules/schedule-item.ts";
import { scheduleWakeups } from "./schedule-wakeups.ts";
import { schedulerEnv } from "./scheduler-server.ts";

/** Long enough for the comparison to take part in what was left behind. */
const SETTLED_SECONDS = 901;

export const maria: Principal = { kind: "user", user_id: "maria", scopes: ["agents:run"], admin: false };

/**
 * The operations on schedules and the daily comparison in one process, over a real store and a scheduler that
 * `startSchedulerServer` has started.
 */
export function scheduleWorld(db: Db, more: Partial<SchedulesDeps> = {}) {
  // Goes on by itself, as the scheduler's own does.
  let movedMs = 0;
  const clock: Clock = { ...systemClock, now: () => Date.now() + movedMs };
  const logged: string[] = [];
  const note = (message: string) => void logged.push(message);
  const deps: SchedulesDeps = {
    db,
    scheduler: connectScheduler(schedulerEnv),
    componentState: async () => "usable",
    ownerRefusalOf: ownerRefusalIn({ db, adminScope: "platform:admin", clock }),
    clock,
    newId,
    queue: scheduleWakeups(),
    log: { info: () => {}, warn: note, error: note },
    settings: { FETCH_ALLOWED_HOSTS: [] },
    ...more,
  };
  const request = {
    query: {},
    headers: {},
    principal: maria,
    signal: new AbortController().signal,
    invocation: {},
  };
  const on = (id: string) => ({ ...request, params: { schedule_id: id }, body: undefined });
  return {
    deps,
    clock,
    logged,
    create: async (body: Partial<CreateScheduleBody> = {}, principal = maria): Promise<Schedule> => {
      const whole = { ...defaults, name: `schedule ${newId().slice(0, 8)}`, ...body };
      return (await createSchedule({ ...request, params: {}, body: whole, principal }, deps)) as Schedule;
    },
    update: (id: string, body: UpdateScheduleBody) => updateSchedule({ ...on(id), body }, deps),
    enable: (id: string) => enableSchedule(on(id), deps),
    disable: (id: string) => disableSchedule(on(id), deps),
    remove: (id: string) => removeSchedule(on(id), deps),
    stored: (id: string) => getSchedule(db, id),
    /** What the timer calls, some time later. */
    reconcileNow: (afterSeconds = 0) => {
      movedMs += afterSeconds * 1000;
      return reconcileWhenDue(deps);
    },
    /** The comparison, some time later. */
    reconcile: async (afterSeconds = SETTLED_SECONDS, settling?: number) => {
      movedMs += afterSeconds * 1000;
      return reconcile(deps, await deps.scheduler.groupMadeAt(), settling);
    },
  };
}

const defaults: CreateScheduleBody = {
  name: "a schedule",
  cron_expr: "0 9 * * *",
  endpoint: "/agents/assistant/runs",
  method: "POST",
  description: null,
  payload: {},
  timezone: "UTC",
  timeout_seconds: 3600,
  max_retries: 0,
  retry_delay_seconds: 60,
  overlap: "skip",
};
