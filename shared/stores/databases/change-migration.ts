import type { Guard } from "../../data/guard.ts";
import { writeAndRead } from "../../data/write.ts";
import { type Changes, updateItem } from "../../data/writes.ts";
import type { Db } from "../db.ts";
import { databaseFrom, databaseKey, type StoredDatabase } from "./database-item.ts";

export type MigrationChanged =
  | { readonly changed: true; readonly database: StoredDatabase }
  | { readonly changed: false; readonly seen: StoredDatabase | undefined };

/** One guarded write to the record of a database; a refused one answers with what it saw. */
export async function changeMigration(
  db: Db,
  dbId: string,
  change: Changes & { readonly guard: Guard },
): Promise<MigrationChanged> {
  const result = await writeAndRead(db, updateItem("databases", databaseKey(dbId), change));
  return result.written
    ? { changed: true, database: databaseFrom(result.item) }
    : { changed: false, seen: result.seen && databaseFrom(result.seen) };
}
