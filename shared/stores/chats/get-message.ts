import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { messageFrom, messageKey, type StoredChatMessage } from "./message-item.ts";

/** @param now epoch seconds; an expired message is not returned */
export async function getMessage(db: Db, key: string, now: number): Promise<StoredChatMessage | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.chats, Key: messageKey(key), ConsistentRead: true }),
  );
  const message = Item && messageFrom(Item);
  return message && message.expires_at > now ? message : undefined;
}
