import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { runItem, type StoredRun } from "../runs/run-item.ts";
import type { StoredSession } from "../sessions/session-item.ts";
import { putNewSession } from "../sessions/session-writes.ts";
import { transact } from "../transact.ts";

/**
 * Records that a foreground run has begun, with its session when that is new.
 *
 * @returns false when somebody created the session at the same moment: nothing was written
 */
export async function startRun(
  db: Db,
  run: StoredRun,
  newSession: StoredSession | undefined,
): Promise<boolean> {
  if (!newSession) {
    await db.client.send(new PutCommand({ TableName: db.tables.runs, Item: runItem(run) }));
    return true;
  }
  const put = { Put: { TableName: db.tables.runs, Item: runItem(run) } };
  const result = await transact(db, () => [put, putNewSession(db, newSession)]);
  return result.written;
}
