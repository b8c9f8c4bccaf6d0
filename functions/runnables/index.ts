import { registry } from "#registry";
import { warnOfHidden } from "../../shared/engine/component/warn-of-hidden.ts";
import { describeModels } from "../../shared/engine/model/models.ts";
import { httpOptionsFrom } from "../../shared/http/http-options.ts";
import { serve } from "../../shared/http/serve.ts";
import { runnableRoutes } from "../../shared/routes/runnables.ts";
import type { RunnablesDeps } from "../../shared/runnables/index.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { runnablesEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { connectDb } from "../../shared/stores/db.ts";
import * as handlers from "./handlers.ts";

const env = readEnv(runnablesEnv);
const deps: RunnablesDeps = { db: connectDb(env), registry, models: describeModels(env.MODEL) };
// Not awaited: no request depends on it.
void warnOfHidden(registry, deps.db, createLog(env.POWERTOOLS_SERVICE_NAME));

export const handler = serve(runnableRoutes, handlers, deps, httpOptionsFrom(env));
