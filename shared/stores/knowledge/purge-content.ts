import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import type { StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import type { Db } from "../db.ts";
import { pastConflicts } from "../transact.ts";
import { contentKey } from "./content-item.ts";

/** Deletes the record of a content whose chunks are deleted. @returns false when it has been written since */
export async function purgeContent(db: Db, content: StoredContent): Promise<boolean> {
  const remove = new DeleteCommand({
    TableName: db.tables.knowledge,
    Key: contentKey(content),
    ConditionExpression: "version = :version",
    ExpressionAttributeValues: { ":version": content.version },
  });
  try {
    await pastConflicts(() => db.client.send(remove));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
