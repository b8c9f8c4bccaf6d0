import { connectMigrationQueue, type MigrationQueue } from "../queue/migration-queue.ts";
import { type Clock, systemClock } from "../runtime/clock.ts";
import { createLog } from "../runtime/create-log.ts";
import type { Log } from "../runtime/log.ts";
import { connectDb, type Db } from "../stores/db.ts";
import { databases, type MigratableDatabase } from "./databases.ts";

/** Dependencies of the route that requests a migration and of the housekeeper that performs it. */
export type MigrationDeps = {
  readonly db: Db;
  readonly databases: readonly MigratableDatabase[];
  readonly migrations: MigrationQueue;
  readonly clock: Clock;
  readonly log: Log;
};

type Env = Parameters<typeof connectDb>[0] & {
  readonly DEAD_LETTER_QUEUE_URL: string;
  readonly POWERTOOLS_SERVICE_NAME: string;
};

/** @param wake  as `connectDb` takes it */
export const connectMigrations = (env: Env, wake?: Parameters<typeof connectDb>[1]): MigrationDeps => ({
  db: connectDb(env, wake),
  databases,
  migrations: connectMigrationQueue(env.DEAD_LETTER_QUEUE_URL),
  clock: systemClock,
  log: createLog(env.POWERTOOLS_SERVICE_NAME),
});
