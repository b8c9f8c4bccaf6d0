import { doorFrom } from "../../shared/http/door.ts";
import { serve } from "../../shared/http/serve.ts";
import { databases } from "../../shared/migrations/databases.ts";
import { connectMigrationQueue } from "../../shared/queue/migration-queue.ts";
import { databaseRoutes } from "../../shared/routes/databases.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { readEnv } from "../../shared/runtime/env.ts";
import { databasesEnv } from "../../shared/runtime/function-env.ts";
import { connectDb } from "../../shared/stores/db.ts";
import type { DatabasesDeps } from "./databases-deps.ts";
import { getDatabase } from "./get-database.ts";
import { migrateAllDatabases } from "./migrate-all-databases.ts";
import { migrateDatabase } from "./migrate-database.ts";

const env = readEnv(databasesEnv);
const deps: DatabasesDeps = {
  db: connectDb(env),
  databases,
  migrations: connectMigrationQueue(env.MIGRATION_QUEUE_URL),
  clock: systemClock,
  log: createLog(env.POWERTOOLS_SERVICE_NAME),
};

export const handler = serve(
  databaseRoutes,
  { getDatabase, migrateDatabase, migrateAllDatabases },
  deps,
  doorFrom(env),
);
