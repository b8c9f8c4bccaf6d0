import { registry } from "#registry";
import { connectModelGate } from "../../shared/engine/model/connect-model-gate.ts";
import { createModels } from "../../shared/engine/model/create-models.ts";
import { connectDailyBudgets } from "../../shared/engine/turn/connect-daily-budgets.ts";
import { httpOptionsFrom } from "../../shared/http/http-options.ts";
import { serve } from "../../shared/http/serve.ts";
import { memoryRoutes } from "../../shared/routes/memories.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { newId } from "../../shared/runtime/ids.ts";
import { memoriesEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { auditWriter } from "../../shared/stores/audit/write-audit.ts";
import { connectDb } from "../../shared/stores/db.ts";
import * as handlers from "./handlers.ts";
import type { MemoriesDeps } from "./memories-deps.ts";

const env = readEnv(memoriesEnv);
const db = connectDb(env);
const log = createLog(env.POWERTOOLS_SERVICE_NAME);
const deps: MemoriesDeps = {
  db,
  models: createModels(env),
  modelGate: connectModelGate({ db, clock: systemClock, log }, env),
  dailyBudgets: connectDailyBudgets({ db, clock: systemClock }, env),
  registry,
  clock: systemClock,
  newId,
};

export const handler = serve(memoryRoutes, handlers, deps, httpOptionsFrom(env, auditWriter(db)));
