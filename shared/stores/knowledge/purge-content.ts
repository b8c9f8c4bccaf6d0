import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import type { StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import type { Db } from "../db.ts";
import { writeIfUnchanged } from "../write-if-unchanged.ts";
import { contentKey } from "./content-item.ts";

/** Deletes the record of a content whose chunks are deleted. @returns false when it has been written since */
export async function purgeContent(db: Db, content: StoredContent): Promise<boolean> {
  const remove = new DeleteCommand({
    TableName: db.tables.knowledge,
    Key: contentKey(content),
    ConditionExpression: "version = :version",
    ExpressionAttributeValues: { ":version": content.version },
  });
  return writeIfUnchanged(() => db.client.send(remove));
}
