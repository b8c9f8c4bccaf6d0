import type { Item } from "../../data/item.ts";
import type { Db } from "../db.ts";
import { queryPages } from "../query-pages.ts";
import { dueShards, dueUntil } from "./due-keys.ts";

type Due = {
  readonly table: string;
  /** One partition of the table's index `by_due`. */
  readonly partition: { readonly due_shard: string } | { readonly due_key: string };
  /** Epoch seconds. */
  readonly now: number;
  /** About how many at most. */
  readonly most: number;
};

/** Index rows of the items in one partition that are due, those that have waited longest first. */
export async function dueItems(db: Db, { table, partition, now, most }: Due): Promise<Item[]> {
  const [[name, value]] = Object.entries(partition) as [[string, string]]; // one, by its type
  const due: Item[] = [];
  const pages = queryPages(db, {
    TableName: table,
    IndexName: "by_due",
    KeyConditionExpression: "#partition = :partition AND #due < :until",
    ExpressionAttributeNames: { "#partition": name, "#due": "due" },
    ExpressionAttributeValues: { ":partition": value, ":until": dueUntil(now) },
    Limit: most,
  });
  for await (const { Items = [] } of pages) {
    due.push(...Items);
    if (due.length >= most) break;
  }
  return due;
}

/**
 * The same for every shard of a table whose index is partitioned by `due_shard`.
 *
 * @param most  of each shard
 */
export async function dueItemsOfShards(
  db: Db,
  { table, now, most }: Omit<Due, "partition">,
): Promise<Item[]> {
  const shards = await Promise.all(
    dueShards().map((due_shard) => dueItems(db, { table, partition: { due_shard }, now, most })),
  );
  return shards.flat();
}
