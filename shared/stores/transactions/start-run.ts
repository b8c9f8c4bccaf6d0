import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { runItem, type StoredRun } from "../runs/run-item.ts";
import { enterSession, type SessionEntry } from "../sessions/session-writes.ts";
import { transact } from "../transact.ts";

/**
 * Records that a foreground run has begun, together with what it enters in its session.
 *
 * @returns false when somebody created the session, or took a turn in it, at the same moment: nothing was written
 */
export async function startRun(db: Db, run: StoredRun, entry: SessionEntry): Promise<boolean> {
  const session = enterSession(db, entry);
  if (!session) {
    await db.client.send(new PutCommand({ TableName: db.tables.runs, Item: runItem(run) }));
    return true;
  }
  const put = { Put: { TableName: db.tables.runs, Item: runItem(run) } };
  const result = await transact(db, () => [put, session]);
  return result.written;
}
