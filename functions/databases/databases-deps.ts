import type { MigratableDatabase } from "../../shared/migrations/databases.ts";
import type { MigrationQueue } from "../../shared/queue/migration-queue.ts";
import type { Clock } from "../../shared/runtime/clock.ts";
import type { Log } from "../../shared/runtime/log.ts";
import type { Db } from "../../shared/stores/db.ts";

export type DatabasesDeps = {
  readonly db: Db;
  readonly databases: readonly MigratableDatabase[];
  readonly migrations: MigrationQueue;
  readonly clock: Clock;
  readonly log: Log;
};
