import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import type { TableName } from "../settings/table-env.ts";
import type { Db } from "./db.ts";
import { queryPages } from "./query-pages.ts";
import { backOff, type Item } from "./transact.ts";

/** Most items of a batch write (documented limit of the service). */
const BATCH_ITEMS = 25;

/**
 * Removes the items of a partition.
 *
 * @param most  about how many at most; all of them when absent
 * @returns     whether none is left
 */
export async function removePartition(
  db: Db,
  table: TableName,
  pk: string,
  most = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const pages = queryPages(db, {
    TableName: db.tables[table],
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": pk },
    ProjectionExpression: "pk, sk",
    ConsistentRead: true,
  });
  let removed = 0;
  for await (const { Items: keys = [] } of pages) {
    for (let from = 0; from < keys.length; from += BATCH_ITEMS) {
      if (removed >= most) return false;
      const batch = keys.slice(from, from + BATCH_ITEMS);
      await removeItems(db, table, batch);
      removed += batch.length;
    }
  }
  return true;
}

async function removeItems(db: Db, table: TableName, keys: Item[]): Promise<void> {
  const name = db.tables[table];
  let requests = keys.map((Key) => ({ DeleteRequest: { Key } }));
  for (let tryNumber = 0; requests.length > 0; tryNumber += 1) {
    if (tryNumber > 0) await backOff(tryNumber);
    const { UnprocessedItems = {} } = await db.client.send(
      new BatchWriteCommand({ RequestItems: { [name]: requests } }),
    );
    // Only removals were requested, so only removals are left.
    requests = (UnprocessedItems[name] ?? []) as typeof requests;
  }
}
