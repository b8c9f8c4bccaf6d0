import { registry } from "#registry";
import { connectDailyBudgets } from "../../shared/engine/budget/connect-daily-budgets.ts";
import { createModels } from "../../shared/engine/model/create-models.ts";
import { findRunnableIn } from "../../shared/engine/stored/find-runnable.ts";
import { httpOptionsFrom } from "../../shared/http/http-options.ts";
import { serve } from "../../shared/http/serve.ts";
import { connectRemovalQueue } from "../../shared/queue/removal-queue.ts";
import { sessionRoutes } from "../../shared/routes/sessions.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { newSessionId } from "../../shared/runtime/ids.ts";
import { sessionsEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { connectDb } from "../../shared/stores/db.ts";
import { createSession } from "./create-session.ts";
import { getSession } from "./get-session.ts";
import { getSessionMedium } from "./get-session-medium.ts";
import { getSessionRun } from "./get-session-run.ts";
import { listRunPreviews } from "./list-run-previews.ts";
import { listSessionRuns } from "./list-session-runs.ts";
import { listSessions } from "./list-sessions.ts";
import { removeSession } from "./remove-session.ts";
import { removeSessions } from "./remove-sessions.ts";
import { renameSession } from "./rename-session.ts";
import type { SessionsDeps } from "./sessions-deps.ts";
import { updateSession } from "./update-session.ts";

const env = readEnv(sessionsEnv);
const db = connectDb(env);
const models = createModels(env);
const deps: SessionsDeps = {
  db,
  removals: connectRemovalQueue(env.REMOVAL_QUEUE_URL),
  models,
  dailyBudgets: connectDailyBudgets({ db, clock: systemClock }, env),
  findRunnable: findRunnableIn({ registry, models }, db),
  clock: systemClock,
  newSessionId,
  log: createLog(env.POWERTOOLS_SERVICE_NAME),
};
const handlers = {
  listSessions,
  createSession,
  removeSessions,
  getSession,
  updateSession,
  removeSession,
  renameSession,
  listSessionRuns,
  listRunPreviews,
  getSessionMedium,
  getSessionRun,
};

export const handler = serve(sessionRoutes, handlers, deps, httpOptionsFrom(env));
