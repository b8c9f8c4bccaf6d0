import * as v from "valibot";
import { httpOptionsFrom } from "../../shared/http/http-options.ts";
import { serve } from "../../shared/http/serve.ts";
import { deliveryWaker } from "../../shared/queue/delivery-queue.ts";
import { connectRunQueue } from "../../shared/queue/run-queue.ts";
import { queueRoutes } from "../../shared/routes/queue.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { LogGroups, searchLogs } from "../../shared/runtime/search-logs.ts";
import { queueEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { auditWriter } from "../../shared/stores/audit/write-audit.ts";
import { connectDb } from "../../shared/stores/db.ts";
import type { LogDeps } from "./get-run-log.ts";
import * as handlers from "./handlers.ts";
import type { QueueDeps } from "./queue-deps.ts";

const env = readEnv(queueEnv);
const deps: QueueDeps & LogDeps = {
  db: connectDb(env, deliveryWaker(env.DELIVERY_QUEUE_URL)),
  queue: connectRunQueue(env.RUN_QUEUE_URL),
  clock: systemClock,
  log: createLog(env.POWERTOOLS_SERVICE_NAME),
  logGroups: v.parse(LogGroups, env.RUN_LOG_GROUPS),
  searchLogs: searchLogs(),
  settings: env,
};

export const handler = serve(queueRoutes, handlers, deps, httpOptionsFrom(env, auditWriter(deps.db)));
