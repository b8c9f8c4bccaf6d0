import type { Db } from "../db.ts";
import { queryPages } from "../query-pages.ts";
import { dueShards, dueUntil } from "./message-item.ts";

/**
 * Keys of messages whose time has come: a wake-up was lost, a worker went silent, or a run rests for long.
 *
 * @param now   epoch seconds
 * @param most  of each shard
 */
export async function listDueMessages(db: Db, now: number, most: number): Promise<string[]> {
  const shards = await Promise.all(dueShards().map((shard) => dueIn(db, shard, now, most)));
  return shards.flat();
}

async function dueIn(db: Db, shard: string, now: number, most: number): Promise<string[]> {
  const due: string[] = [];
  const pages = queryPages(db, {
    TableName: db.tables.chats,
    IndexName: "by_due",
    KeyConditionExpression: "due_shard = :shard AND #due < :until",
    ExpressionAttributeNames: { "#due": "due" },
    ExpressionAttributeValues: { ":shard": shard, ":until": dueUntil(now) },
    Limit: most,
  });
  for await (const { Items = [] } of pages) {
    due.push(...Items.map((item) => String(item.key)));
    if (due.length >= most) break;
  }
  return due;
}
