import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { type ContentAddress, contentFrom, contentKey } from "./content-item.ts";

/** Also returns a content that is being removed: callers that show it must check. */
export async function getContent(db: Db, address: ContentAddress): Promise<StoredContent | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.knowledge, Key: contentKey(address), ConsistentRead: true }),
  );
  return Item && contentFrom(Item);
}

/** The contents that exist, by their ids. */
export async function getContents(
  db: Db,
  knowledgeId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredContent>> {
  const keys = [...new Set(ids)].map((id) => contentKey({ knowledge_id: knowledgeId, id }));
  const items = await batchGet(db, db.tables.knowledge, keys);
  return new Map(items.map(contentFrom).map((content) => [content.id, content]));
}
