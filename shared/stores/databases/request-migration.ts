import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
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
  const { Attributes } = await db.client.send(
    new UpdateCommand({
      TableName: db.tables.databases,
      Key: databaseKey(dbId),
      UpdateExpression:
        "SET #status = :migrating, target_version = :target, version = if_not_exists(version, :from), " +
        "db_id = :id, shape = :shape, records_read = :none, records_changed = :none, " +
        "started_at = :now, updated_at = :now REMOVE #error, outages",
      ExpressionAttributeNames: { "#status": "status", "#error": "error" },
      ExpressionAttributeValues: {
        ":migrating": "migrating",
        ":target": target,
        ":from": from,
        ":id": dbId,
        ":shape": DATABASE_SHAPE,
        ":none": 0,
        ":now": now,
      },
      ReturnValues: "ALL_NEW",
    }),
  );
  return databaseFrom(Attributes ?? {});
}
