import { type Handler, Reply } from "../../shared/http/handler.ts";
import type { MigrationDeps } from "../../shared/migrations/connect-migrations.ts";
import type { MigratableDatabase } from "../../shared/migrations/databases.ts";
import type { databaseRoutes } from "../../shared/routes/databases.ts";
import type { Database } from "../../shared/schemas/databases/database.ts";
import { getDatabase } from "../../shared/stores/databases/index.ts";
import { startMigration } from "./start-migration.ts";
import { requestedVersion, targetVersion, unknownVersion } from "./target-version.ts";
import { wireDatabase } from "./wire-database.ts";

/**
 * Migrates every database, side by side: one that fails stops no other. A version that one database has and another has
 * not is that one's failure; a version that none has is the request's.
 *
 * @returns 207 when one failed, else 202 when one takes longer than a request
 * @throws  ServiceError BAD_REQUEST for a version that no database has
 */
export const migrateAllDatabases: Handler<typeof databaseRoutes.migrateAllDatabases, MigrationDeps> = async (
  { query, body },
  deps,
) => {
  const { databases } = deps;
  const requested = requestedVersion(query, body);
  const [first] = databases;
  if (first && databases.every((database) => targetVersion(database, requested) === undefined)) {
    throw unknownVersion(first, requested);
  }
  const outcomes = await Promise.all(databases.map((database) => migrateOne(deps, database, requested)));
  const failures = outcomes.flatMap(({ database, failed }) => (failed ? [[database.db_id, failed]] : []));
  const done = outcomes.filter(({ failed, running }) => !failed && !running).length;
  const where = requested === undefined ? "their latest version" : `version ${requested}`;
  const answer = {
    message: `${done}/${outcomes.length} databases were migrated to ${where}`,
    databases: outcomes.map(({ database }) => database),
    ...(failures.length > 0 && { failed: Object.fromEntries(failures) }),
  };
  if (failures.length > 0) return new Reply(207, answer);
  return outcomes.some(({ running }) => running) ? new Reply(202, answer) : answer;
};

type Outcome = { readonly database: Database; readonly failed?: string; readonly running: boolean };

async function migrateOne(
  deps: MigrationDeps,
  database: MigratableDatabase,
  requested: string | undefined,
): Promise<Outcome> {
  const target = targetVersion(database, requested);
  if (target === undefined) {
    const present = wireDatabase(database, await getDatabase(deps.db, database.id));
    return { database: present, failed: unknownVersion(database, requested).message, running: false };
  }
  const stored = await startMigration(deps, database, target);
  return {
    database: wireDatabase(database, stored),
    ...(stored?.status === "failed" && { failed: stored.error }),
    running: stored?.status === "migrating",
  };
}
