import { httpOptionsFrom } from "../../shared/http/http-options.ts";
import { serve } from "../../shared/http/serve.ts";
import { traceRoutes } from "../../shared/routes/traces.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { tracesEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { auditWriter } from "../../shared/stores/audit/write-audit.ts";
import { connectDb } from "../../shared/stores/db.ts";
import * as handlers from "./handlers.ts";
import type { TracesDeps } from "./traces-deps.ts";

const env = readEnv(tracesEnv);
const deps: TracesDeps = { db: connectDb(env), clock: systemClock, settings: env };

export const handler = serve(traceRoutes, handlers, deps, httpOptionsFrom(env, auditWriter(deps.db)));
