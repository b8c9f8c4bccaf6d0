import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { runItem, type StoredRun } from "../runs/run-item.ts";
import { type StoredSession, sessionItem } from "../sessions/session-item.ts";

/** Writes that are under way at a time. */
const AT_A_TIME = 10;

/**
 * Writes a session that begins with runs. The session comes last: until then nobody can find what was written, so a
 * copy that breaks off in the middle is none.
 */
export async function copySession(db: Db, session: StoredSession, runs: readonly StoredRun[]): Promise<void> {
  for (let from = 0; from < runs.length; from += AT_A_TIME) {
    const some = runs.slice(from, from + AT_A_TIME);
    await Promise.all(some.map((run) => put(db, db.tables.runs, runItem(run))));
  }
  await put(db, db.tables.sessions, sessionItem(session));
}

const put = (db: Db, TableName: string, Item: Record<string, unknown>) =>
  db.client.send(new PutCommand({ TableName, Item, ConditionExpression: "attribute_not_exists(pk)" }));
