import type { MigratableDatabase } from "../../shared/migrations/databases.ts";
import type { MigrationQueue } from "../../shared/queue/migration-queue.ts";
import type { StoredDatabase } from "../../shared/stores/databases/database-item.ts";
import { getDatabase } from "../../shared/stores/databases/get-database.ts";
import type { Db } from "../../shared/stores/db.ts";

/** A message that is younger than this may simply not have arrived. */
const SETTLING_SECONDS = 60;

type Needs = {
  readonly db: Db;
  readonly databases: readonly MigratableDatabase[];
  readonly migrations: MigrationQueue;
};

/**
 * Sends another message for each database that is to be migrated and has no worker: the message was lost, or the
 * process died.
 *
 * @param now  epoch seconds
 * @returns    how many were sent
 */
export async function resendMigrations({ db, databases, migrations }: Needs, now: number): Promise<number> {
  const stored = await Promise.all(databases.map(({ id }) => getDatabase(db, id)));
  const left = stored
    .filter((database) => database !== undefined)
    .filter((database) => isLeft(database, now));
  for (const { db_id } of left) await migrations.send({ db_id });
  return left.length;
}

const isLeft = (database: StoredDatabase, now: number): boolean =>
  database.status === "migrating" &&
  (database.busy_until ?? 0) < now &&
  database.updated_at <= now - SETTLING_SECONDS;
