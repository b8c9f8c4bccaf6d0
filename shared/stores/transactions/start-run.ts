import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { runItem, type StoredRun } from "../runs/run-item.ts";
import { spillRun } from "../runs/spill-run.ts";
import { enterSession, type SessionEntry, spillEntry } from "../sessions/session-writes.ts";
import { transact } from "../transact.ts";

/**
 * Writes the record of a foreground run that starts, together with its entry in the session.
 *
 * @returns false when the session was created, or a turn in it was claimed, concurrently: nothing was written
 */
export async function startRun(db: Db, run: StoredRun, entry: SessionEntry): Promise<boolean> {
  const [spilled, fitted] = await Promise.all([spillRun(db, run), spillEntry(db, entry)]);
  const session = enterSession(db, fitted);
  const put = { Put: { TableName: db.tables.runs, Item: runItem(spilled) } };
  if (!session) {
    await db.client.send(new PutCommand(put.Put));
    return true;
  }
  const result = await transact(db, () => [put, session]);
  return result.written;
}
