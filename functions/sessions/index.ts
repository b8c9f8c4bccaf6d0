import { registry } from "#registry";
import { findRunnableIn } from "../../shared/engine/component/find-runnable.ts";
import { connectModelGate } from "../../shared/engine/model/connect-model-gate.ts";
import { createModels } from "../../shared/engine/model/create-models.ts";
import { connectDailyBudgets } from "../../shared/engine/turn/connect-daily-budgets.ts";
import { httpOptionsFrom } from "../../shared/http/http-options.ts";
import { serve } from "../../shared/http/serve.ts";
import { connectRemovalQueue } from "../../shared/queue/removal-queue.ts";
import { sessionRoutes } from "../../shared/routes/sessions.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { newSessionId } from "../../shared/runtime/ids.ts";
import { sessionsEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { auditWriter } from "../../shared/stores/audit/write-audit.ts";
import { connectDb } from "../../shared/stores/db.ts";
import * as handlers from "./handlers.ts";
import type { SessionsDeps } from "./sessions-deps.ts";

const env = readEnv(sessionsEnv);
const db = connectDb(env);
const models = createModels(env);
const log = createLog(env.POWERTOOLS_SERVICE_NAME);
const deps: SessionsDeps = {
  db,
  removals: connectRemovalQueue(env.DEAD_LETTER_QUEUE_URL),
  models,
  modelGate: connectModelGate({ db, clock: systemClock, log }, env),
  dailyBudgets: connectDailyBudgets({ db, clock: systemClock }, env),
  findRunnable: findRunnableIn({ registry, models }, db),
  clock: systemClock,
  newSessionId,
  log,
};

export const handler = serve(sessionRoutes, handlers, deps, httpOptionsFrom(env, auditWriter(db)));
