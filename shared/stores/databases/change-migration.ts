import type { Db } from "../db.ts";
import { type Change, guardedUpdate } from "../guarded-update.ts";
import { databaseFrom, databaseKey, type StoredDatabase } from "./database-item.ts";

export type MigrationChanged =
  | { readonly changed: true; readonly database: StoredDatabase }
  | { readonly changed: false; readonly seen: StoredDatabase | undefined };

/** One guarded write to the record of a database; a refused one returns what it saw. */
export async function changeMigration(db: Db, dbId: string, change: Change): Promise<MigrationChanged> {
  const updated = await guardedUpdate(db, {
    TableName: db.tables.databases,
    Key: databaseKey(dbId),
    ...change,
  });
  return updated.changed
    ? { changed: true, database: databaseFrom(updated.item) }
    : { changed: false, seen: updated.seen && databaseFrom(updated.seen) };
}
