import type { Handler } from "../../shared/http/handler.ts";
import type { MigrationDeps } from "../../shared/migrations/connect-migrations.ts";
import type { databaseRoutes } from "../../shared/routes/databases.ts";
import { getDatabase as readDatabase } from "../../shared/stores/databases/index.ts";
import { findDatabase } from "./find-database.ts";
import { wireDatabase } from "./wire-database.ts";

/** Which version a database is at, and the state of its migration. */
export const getDatabase: Handler<typeof databaseRoutes.getDatabase, MigrationDeps> = async (
  { params },
  { db, databases },
) => {
  const database = findDatabase(databases, params.db_id);
  return wireDatabase(database, await readDatabase(db, database.id));
};
