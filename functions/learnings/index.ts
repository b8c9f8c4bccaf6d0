import { httpOptionsFrom } from "../../shared/http/http-options.ts";
import { serve } from "../../shared/http/serve.ts";
import { learningRoutes } from "../../shared/routes/learnings.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { newId } from "../../shared/runtime/ids.ts";
import { learningsEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { auditWriter } from "../../shared/stores/audit/write-audit.ts";
import { connectDb } from "../../shared/stores/db.ts";
import * as handlers from "./handlers.ts";
import type { LearningsDeps } from "./learnings-deps.ts";

const env = readEnv(learningsEnv);
const deps: LearningsDeps = { db: connectDb(env), clock: systemClock, newId };

export const handler = serve(learningRoutes, handlers, deps, httpOptionsFrom(env, auditWriter(deps.db)));
