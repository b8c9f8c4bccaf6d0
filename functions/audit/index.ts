import { httpOptionsFrom } from "../../shared/http/http-options.ts";
import { serve } from "../../shared/http/serve.ts";
import { auditRoutes } from "../../shared/routes/audit.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { auditEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { connectDb } from "../../shared/stores/db.ts";
import type { AuditDeps } from "./audit-deps.ts";
import * as handlers from "./handlers.ts";

const env = readEnv(auditEnv);
const deps: AuditDeps = { db: connectDb(env), clock: systemClock };

export const handler = serve(auditRoutes, handlers, deps, httpOptionsFrom(env));
