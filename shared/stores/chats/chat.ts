import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { updateItem, write } from "../../data/index.ts";
import type { Db } from "../db.ts";
import { chatKey } from "./message-item.ts";

/** Version of the stored shape; raised with every change of it. */
export const CHAT_SHAPE = 2;

/** A conversation. */
export const StoredChat = v.object({
  /** The present session, after the conversation was restarted; before that, its id is the scope. */
  session_id: v.optional(v.string()),
  /** Key of the message that is being answered, or was answered last. */
  answering: v.optional(v.string()),
  /** Key of the message whose run asked last: words may answer it. */
  asking: v.optional(v.string()),
});
export type StoredChat = v.InferOutput<typeof StoredChat>;

export async function getChat(db: Db, scope: string): Promise<StoredChat> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.chats, Key: chatKey(scope), ConsistentRead: true }),
  );
  return v.parse(StoredChat, Item ?? {});
}

/** Whether there is a conversation: one has begun once a run answered a message of it. */
export async function hasChat(db: Db, scope: string): Promise<boolean> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.chats, Key: chatKey(scope), ProjectionExpression: "pk" }),
  );
  return Item !== undefined;
}

/** Moves a conversation to another session, for all its participants. */
export const moveChat = (db: Db, scope: string, session_id: string) =>
  setField(db, scope, "session_id", session_id);

/** Records which message `/stop` would stop. */
export const recordAnswering = (db: Db, scope: string, key: string) => setField(db, scope, "answering", key);

/** Records which message's run asks. */
export const recordAsking = (db: Db, scope: string, key: string) => setField(db, scope, "asking", key);

async function setField(db: Db, scope: string, field: keyof StoredChat, value: string): Promise<void> {
  await write(db, updateItem("chats", chatKey(scope), { set: { [field]: value, shape: CHAT_SHAPE } }));
}
