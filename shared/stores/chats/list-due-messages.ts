import type { Db } from "../db.ts";
import { dueItems } from "../due/due-items.ts";
import { dueShards } from "../due/due-keys.ts";

/**
 * Keys of messages whose time has come: a wake-up was lost, a worker went silent, or a run rests for long.
 *
 * @param now   epoch seconds
 * @param most  of each shard
 */
export async function listDueMessages(db: Db, now: number, most: number): Promise<string[]> {
  const table = db.tables.chats;
  const shards = await Promise.all(
    dueShards().map((due_shard) => dueItems(db, { table, partition: { due_shard }, now, most })),
  );
  return shards.flat().map(({ key }) => String(key));
}
