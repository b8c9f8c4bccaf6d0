import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand, type UpdateCommandInput } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { Db } from "../db.ts";
import { databaseFrom, databaseKey, type StoredDatabase } from "./database-item.ts";

export type MigrationChanged =
  | { readonly changed: true; readonly database: StoredDatabase }
  | { readonly changed: false; readonly seen: StoredDatabase | undefined };

type Change = Pick<
  UpdateCommandInput,
  "UpdateExpression" | "ConditionExpression" | "ExpressionAttributeNames" | "ExpressionAttributeValues"
>;

/** One guarded write to the record of a database; a refused one tells what it met. */
export async function changeMigration(db: Db, dbId: string, change: Change): Promise<MigrationChanged> {
  const update = new UpdateCommand({
    TableName: db.tables.databases,
    Key: databaseKey(dbId),
    ...change,
    ReturnValues: "ALL_NEW",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  try {
    const { Attributes } = await db.client.send(update);
    return { changed: true, database: databaseFrom(Attributes ?? {}) };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { changed: false, seen: error.Item && databaseFrom(unmarshall(error.Item)) };
  }
}
