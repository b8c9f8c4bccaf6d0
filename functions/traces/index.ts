import { httpOptionsFrom } from "../../shared/http/http-options.ts";
import { serve } from "../../shared/http/serve.ts";
import { traceRoutes } from "../../shared/routes/traces.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { tracesEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { connectDb } from "../../shared/stores/db.ts";
import { getTrace } from "./get-trace.ts";
import { getTraceFilterSchema } from "./get-trace-filter-schema.ts";
import { listTraceSessionStats } from "./list-trace-session-stats.ts";
import { listTraces } from "./list-traces.ts";
import { searchTraces } from "./search-traces.ts";
import type { TracesDeps } from "./traces-deps.ts";

const env = readEnv(tracesEnv);
const deps: TracesDeps = { db: connectDb(env), clock: systemClock, settings: env };
const handlers = { listTraces, getTrace, getTraceFilterSchema, listTraceSessionStats, searchTraces };

export const handler = serve(traceRoutes, handlers, deps, httpOptionsFrom(env));
