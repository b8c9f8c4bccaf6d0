import { notFound } from "../../shared/errors.ts";
import type { MigratableDatabase } from "../../shared/migrations/databases.ts";

/** @throws ServiceError NOT_FOUND for an id that no database has */
export function findDatabase(databases: readonly MigratableDatabase[], id: string): MigratableDatabase {
  const found = databases.find((database) => database.id === id);
  if (!found) throw notFound("database", id);
  return found;
}
