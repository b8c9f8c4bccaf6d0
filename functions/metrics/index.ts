import { httpOptionsFrom } from "../../shared/http/http-options.ts";
import { serve } from "../../shared/http/serve.ts";
import { metricsRoutes } from "../../shared/routes/metrics.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { startFunction } from "../../shared/runtime/functions/start-function.ts";
import { newId } from "../../shared/runtime/ids.ts";
import { metricsEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { connectDb } from "../../shared/stores/db.ts";
import * as handlers from "./handlers.ts";
import type { MetricsDeps } from "./metrics-deps.ts";

const env = readEnv(metricsEnv);
const start = startFunction();
const deps: MetricsDeps = {
  db: connectDb(env),
  clock: systemClock,
  settings: env,
  log: createLog(env.POWERTOOLS_SERVICE_NAME),
  newId,
  callRefresher: (call) => start(env.METRICS_REFRESHER, JSON.stringify(call)),
};

export const handler = serve(metricsRoutes, handlers, deps, httpOptionsFrom(env));
