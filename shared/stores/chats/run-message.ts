import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { write } from "../../data/write.ts";
import { putItem } from "../../data/writes.ts";
import type { Db } from "../db.ts";
import { runKey } from "./message-item.ts";

/** Version of the stored shape; raised with every change of it. */
export const RUN_MESSAGE_SHAPE = 1;

/** Which message a run answers. */
export const StoredRunMessage = v.object({ message_key: v.string(), expires_at: v.number() });

/** Records it for a run that waits for a decision: a button sends only the run's id. @param expires_at epoch seconds */
export async function recordRunMessage(
  db: Db,
  runId: string,
  message_key: string,
  expires_at: number,
): Promise<void> {
  const item = { ...runKey(runId), message_key, expires_at, shape: RUN_MESSAGE_SHAPE };
  await write(db, putItem("chats", item));
}

/** The key of the message. @param now epoch seconds */
export async function messageOfRun(db: Db, runId: string, now: number): Promise<string | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.chats, Key: runKey(runId), ConsistentRead: true }),
  );
  const stored = Item && v.parse(StoredRunMessage, Item);
  return stored && stored.expires_at > now ? stored.message_key : undefined;
}
