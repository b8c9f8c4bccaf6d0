import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { databaseFrom, databaseKey, type StoredDatabase } from "./database-item.ts";

/** How far a database has been migrated; undefined for one that was never migrated. */
export async function getDatabase(db: Db, dbId: string): Promise<StoredDatabase | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.databases, Key: databaseKey(dbId), ConsistentRead: true }),
  );
  return Item && databaseFrom(Item);
}
