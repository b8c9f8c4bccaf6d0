import type { Db } from "../db.ts";
import { dueItemsOfShards } from "../due/due-items.ts";

/**
 * Keys of messages that are due: a wake-up was lost, a worker stopped sending heartbeats, or a run has been paused for
 * long.
 *
 * @param now   epoch seconds
 * @param most  of each shard
 */
export async function listDueMessages(db: Db, now: number, most: number): Promise<string[]> {
  const due = await dueItemsOfShards(db, { table: db.tables.chats, now, most });
  return due.map(({ key }) => String(key));
}
