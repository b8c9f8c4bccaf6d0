import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { runItem, type StoredRun } from "../runs/run-item.ts";
import { spillRun } from "../runs/spill-run.ts";
import { enterSession, type SessionEntry, spillEntry } from "../sessions/session-writes.ts";
import { transact } from "../transact.ts";

/**
 * Records that a foreground run has begun, together with what it enters in its session.
 *
 * @returns false when somebody created the session, or took a turn in it, at the same moment: nothing was written
 */
export async function startRun(db: Db, run: StoredRun, entry: SessionEntry): Promise<boolean> {
  const [kept, entered] = await Promise.all([spillRun(db, run), spillEntry(db, entry)]);
  const session = enterSession(db, entered);
  const put = { Put: { TableName: db.tables.runs, Item: runItem(kept) } };
  if (!session) {
    await db.client.send(new PutCommand(put.Put));
    return true;
  }
  const result = await transact(db, () => [put, session]);
  return result.written;
}
