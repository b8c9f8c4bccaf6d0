import type { MigrationDeps } from "../../../shared/migrations/connect-migrations.ts";
import { latestVersionOf, type MigratableDatabase, tablesOf } from "../../../shared/migrations/databases.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import type { TableName } from "../../../shared/settings/table-env.ts";
import { getDatabase, recordNewDatabase, scanSegment } from "../../../shared/stores/databases/index.ts";
import type { Db } from "../../../shared/stores/db.ts";

/**
 * Records that a database is of the newest version, where no migration of it was asked for and it has nothing to
 * migrate. A deployment that is new may be given tables that an earlier one has left: one record in any of them, and the
 * database stays what it is.
 */
export async function settleIfNew(
  { db, clock, log }: Pick<MigrationDeps, "db" | "clock" | "log">,
  database: MigratableDatabase,
): Promise<void> {
  if (await getDatabase(db, database.id)) return;
  const empty = await Promise.all(tablesOf(database).map((table) => isEmpty(db, table)));
  if (empty.includes(false)) return;
  const version = latestVersionOf(database);
  const recorded = await recordNewDatabase(db, database.id, version, epochSeconds(clock));
  if (recorded) log.info("a new database is of the newest version", { db_id: database.id, version });
}

/** One record is read, strongly consistent. A page without records that is not the last one proves nothing. */
async function isEmpty(db: Db, table: TableName): Promise<boolean> {
  const { records, cursor } = await scanSegment(db, { table, number: 0, of: 1, cursor: "begin" }, 1);
  return records.length === 0 && cursor === "done";
}
