import { writeAndRead } from "../../data/write.ts";
import { ifAbsent, updateItem } from "../../data/writes.ts";
import type { Db } from "../db.ts";
import { DATABASE_SHAPE, databaseFrom, databaseKey, type StoredDatabase } from "./database-item.ts";

/**
 * Records that a database is to be migrated to a version: from then on the request survives every crash. A migration
 * under way gets the new target with its next round; a failed one continues.
 *
 * @param from  version of a database that has no record yet
 * @param now   epoch seconds
 */
export async function requestMigration(
  db: Db,
  dbId: string,
  { from, target, now }: { readonly from: number; readonly target: number; readonly now: number },
): Promise<StoredDatabase> {
  const requested = await writeAndRead(
    db,
    updateItem("databases", databaseKey(dbId), {
      set: {
        status: "migrating",
        target_version: target,
        version: ifAbsent(from),
        db_id: dbId,
        shape: DATABASE_SHAPE,
        records_read: 0,
        records_changed: 0,
        started_at: now,
        updated_at: now,
      },
      remove: ["error", "outages"],
    }),
  );
  if (!requested.written) throw new Error("an update without a guard was refused");
  return databaseFrom(requested.item);
}
