import { registry } from "#registry";
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
import { connectDb } from "../../shared/stores/db.ts";
import { componentStateIn } from "./component-state.ts";
import * as handlers from "./handlers.ts";
import type { SchedulesDeps } from "./schedules-deps.ts";

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
