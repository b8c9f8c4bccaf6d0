import { registry } from "#registry";
import type { Registry } from "../../shared/engine/define/registry.ts";
import { httpOptionsFrom } from "../../shared/http/http-options.ts";
import { serve } from "../../shared/http/serve.ts";
import { deliveryWaker } from "../../shared/queue/delivery-queue.ts";
import { connectScheduleQueue } from "../../shared/queue/schedule-queue.ts";
import { scheduleRoutes } from "../../shared/routes/schedules.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { newId } from "../../shared/runtime/ids.ts";
import { connectScheduler } from "../../shared/scheduler/connect-scheduler.ts";
import { ownerRefusalIn } from "../../shared/scheduler/owner-refusal-in.ts";
import { schedulesEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { auditWriter } from "../../shared/stores/audit/write-audit.ts";
import { getComponent } from "../../shared/stores/components/component-item.ts";
import { connectDb, type Db } from "../../shared/stores/db.ts";
import * as handlers from "./handlers.ts";
import type { SchedulesDeps } from "./schedules-deps.ts";

/**
 * Reads the state of stored components. What is declared in code is never archived and always published, and hides what
 * is stored under its id.
 */
export const componentStateIn =
  (registry: Registry, db: Db): SchedulesDeps["componentState"] =>
  async ({ type, id }) => {
    if (registry[`${type}s`].some((one) => one.id === id)) return "usable";
    const component = await getComponent(db, id);
    if (component?.component_type !== type) return "missing";
    if (component.deleted_at !== undefined) return "archived";
    return component.current_version === undefined ? "draft_only" : "usable";
  };

const env = readEnv(schedulesEnv);
const db = connectDb(env, deliveryWaker(env.DELIVERY_QUEUE_URL));
const deps: SchedulesDeps = {
  db,
  scheduler: connectScheduler(env),
  componentState: componentStateIn(registry, db),
  ownerRefusalOf: ownerRefusalIn({ db, adminScope: env.ADMIN_SCOPE, clock: systemClock }),
  clock: systemClock,
  newId,
  queue: connectScheduleQueue(env.SCHEDULE_QUEUE_URL),
  log: createLog(env.POWERTOOLS_SERVICE_NAME),
  settings: env,
};

export const handler = serve(scheduleRoutes, handlers, deps, httpOptionsFrom(env, auditWriter(db)));
