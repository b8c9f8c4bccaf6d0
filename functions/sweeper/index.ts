import { databases } from "../../shared/migrations/databases.ts";
import { connectMigrationQueue } from "../../shared/queue/migration-queue.ts";
import { connectRemovalQueue } from "../../shared/queue/removal-queue.ts";
import { connectRunQueue } from "../../shared/queue/run-queue.ts";
import { epochSeconds, systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { readEnv } from "../../shared/runtime/env.ts";
import { sweeperEnv } from "../../shared/runtime/function-env.ts";
import { connectDb } from "../../shared/stores/db.ts";
import { resendMigrations } from "./resend-migrations.ts";
import { resendRemovals } from "./resend-removals.ts";
import { sweep } from "./sweep.ts";
import type { SweeperDeps, Swept } from "./sweeper-deps.ts";

const env = readEnv(sweeperEnv);
const deps: SweeperDeps = {
  db: connectDb(env),
  queue: connectRunQueue(env.RUN_QUEUE_URL),
  clock: systemClock,
  log: createLog(env.POWERTOOLS_SERVICE_NAME),
  settings: env,
};

const removals = connectRemovalQueue(env.REMOVAL_QUEUE_URL);
const migrations = connectMigrationQueue(env.MIGRATION_QUEUE_URL);

/** Timer in; frees jobs whose worker went silent, sends lost messages again, and removals and migrations not over. */
export async function handler(): Promise<Swept & { readonly removals: number; readonly migrations: number }> {
  const { db } = deps;
  const swept = await sweep(deps);
  const now = epochSeconds(systemClock);
  return {
    ...swept,
    removals: await resendRemovals({ db, removals }, now),
    migrations: await resendMigrations({ db, databases, migrations }, now),
  };
}
