import { httpOptionsFrom } from "../../shared/http/http-options.ts";
import { serve } from "../../shared/http/serve.ts";
import { basesOf } from "../../shared/knowledge/configured.ts";
import { connectMigrations } from "../../shared/migrations/connect-migrations.ts";
import { connectUserRemovalQueue } from "../../shared/queue/removal-queue.ts";
import { databaseRoutes } from "../../shared/routes/databases.ts";
import { databasesEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { auditWriter } from "../../shared/stores/audit/write-audit.ts";
import * as handlers from "./handlers.ts";

const env = readEnv(databasesEnv);

const deps = {
  ...connectMigrations(env),
  userRemovals: connectUserRemovalQueue(env.DEAD_LETTER_QUEUE_URL),
  bases: basesOf(env.KNOWLEDGE_BASES).map(({ id }) => id),
};

export const handler = serve(databaseRoutes, handlers, deps, httpOptionsFrom(env, auditWriter(deps.db)));
