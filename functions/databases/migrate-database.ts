import { ServiceError } from "../../shared/errors.ts";
import { type Handler, Reply } from "../../shared/http/handler.ts";
import type { MigrationDeps } from "../../shared/migrations/connect-migrations.ts";
import type { databaseRoutes } from "../../shared/routes/databases.ts";
import { findDatabase } from "./find-database.ts";
import { startMigration } from "./start-migration.ts";
import { requestedVersion, targetVersion, unknownVersion } from "./target-version.ts";
import { wireDatabase } from "./wire-database.ts";

/**
 * Migrates a database up or down. Asking for the version that it is at does nothing and succeeds.
 *
 * @returns 202 when it takes longer than a request
 * @throws  ServiceError NOT_FOUND, BAD_REQUEST for an unknown version, INTERNAL_SERVER_ERROR with why it failed
 */
export const migrateDatabase: Handler<typeof databaseRoutes.migrateDatabase, MigrationDeps> = async (
  { params, query, body },
  deps,
) => {
  const found = findDatabase(deps.databases, params.db_id);
  const requested = requestedVersion(query, body);
  const target = targetVersion(found, requested);
  if (target === undefined) throw unknownVersion(found, requested);
  const stored = await startMigration(deps, found, target);
  const database = wireDatabase(found, stored);
  if (stored?.status === "failed") {
    throw new ServiceError(
      "INTERNAL_SERVER_ERROR",
      `database ${found.id} could not be migrated: ${stored.error}`,
    );
  }
  if (stored?.status === "migrating") {
    const message = `Database ${found.id} is being migrated to version ${target}; GET /databases/${found.id} shows how far it is`;
    return new Reply(202, { message, database });
  }
  return { message: `Database ${found.id} was migrated to version ${database.version}`, database };
};
