import type { Db } from "../db.ts";
import { dueItems } from "../due-items.ts";
import { dueShards, dueUntil } from "./message-item.ts";

/**
 * Keys of messages whose time has come: a wake-up was lost, a worker went silent, or a run rests for long.
 *
 * @param now   epoch seconds
 * @param most  of each shard
 */
export async function listDueMessages(db: Db, now: number, most: number): Promise<string[]> {
  const until = dueUntil(now);
  const shards = await Promise.all(
    dueShards().map((partition) =>
      dueItems(db, { table: "chats", key: "due_shard", partition, until, most }),
    ),
  );
  return shards.flat().map(({ key }) => String(key));
}
