import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { type StoredSession, sessionFrom } from "./session-item.ts";
import { sessionKey } from "./session-keys.ts";
import { wholeSession } from "./spill-session.ts";

/** A session with its state. @returns undefined when there is none, or when it is being removed */
export async function getSession(db: Db, sessionId: string): Promise<StoredSession | undefined> {
  const head = await getSessionHead(db, sessionId);
  return head && wholeSession(db, head);
}

/** A session without a large state: its item alone shows the owner and the component. */
export async function getSessionHead(db: Db, sessionId: string): Promise<StoredSession | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.sessions, Key: sessionKey(sessionId), ConsistentRead: true }),
  );
  return Item && sessionFrom(Item);
}
