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
import { connectDb } from "../../shared/stores/db.ts";
import { cancelJobs } from "./cancel-jobs.ts";
import { getJob } from "./get-job.ts";
import { getQueueStats } from "./get-queue-stats.ts";
import { getRunLog, type LogDeps } from "./get-run-log.ts";
import { listJobs } from "./list-jobs.ts";
import type { QueueDeps } from "./queue-deps.ts";
import { requeueJob } from "./requeue-job.ts";
import { requeueJobs } from "./requeue-jobs.ts";

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

export const handler = serve(
  queueRoutes,
  { listJobs, getJob, getQueueStats, requeueJob, requeueJobs, cancelJobs, getRunLog },
  deps,
  httpOptionsFrom(env),
);
