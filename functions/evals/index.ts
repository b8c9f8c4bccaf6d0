import { registry } from "#registry";
import { findRunnableIn } from "../../shared/engine/component/find-runnable.ts";
import { describeModels } from "../../shared/engine/model/models.ts";
import { httpOptionsFrom } from "../../shared/http/http-options.ts";
import { serve } from "../../shared/http/serve.ts";
import { deliveryWaker } from "../../shared/queue/delivery-queue.ts";
import { connectEvalQueue } from "../../shared/queue/eval-queue.ts";
import { evalRoutes } from "../../shared/routes/evals.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { newId } from "../../shared/runtime/ids.ts";
import { evalsEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { auditWriter } from "../../shared/stores/audit/write-audit.ts";
import { connectDb } from "../../shared/stores/db.ts";
import type { EvalsDeps } from "./evals-deps.ts";
import * as handlers from "./handlers.ts";

const env = readEnv(evalsEnv);
const db = connectDb(env, deliveryWaker(env.DELIVERY_QUEUE_URL));
const models = describeModels(env.MODEL);
const knowledge = env.KNOWLEDGE_BASES.map(({ name }) => name);
const deps: EvalsDeps = {
  db,
  findRunnable: findRunnableIn({ registry, models, knowledge }, db),
  models,
  registry,
  queue: connectEvalQueue(env.EVAL_QUEUE_URL),
  clock: systemClock,
  newId,
  log: createLog(env.POWERTOOLS_SERVICE_NAME),
  settings: env,
};

export const handler = serve(evalRoutes, handlers, deps, httpOptionsFrom(env, auditWriter(db)));
