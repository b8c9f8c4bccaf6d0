import { httpOptionsFrom } from "../../shared/http/http-options.ts";
import { serve } from "../../shared/http/serve.ts";
import { connectMigrations } from "../../shared/migrations/connect-migrations.ts";
import { databaseRoutes } from "../../shared/routes/databases.ts";
import { databasesEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { auditWriter } from "../../shared/stores/audit/write-audit.ts";
import * as handlers from "./handlers.ts";

const env = readEnv(databasesEnv);

const deps = connectMigrations(env);

export const handler = serve(databaseRoutes, handlers, deps, httpOptionsFrom(env, auditWriter(deps.db)));
