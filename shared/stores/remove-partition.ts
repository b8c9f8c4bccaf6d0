import { BATCH_WRITES, deleteItem, writeBatch } from "../data/index.ts";
import type { TableName } from "../settings/table-env.ts";
import { type Db, queryPages } from "./db.ts";

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
    for (let from = 0; from < keys.length; from += BATCH_WRITES) {
      if (removed >= most) return false;
      const batch = keys.slice(from, from + BATCH_WRITES);
      await writeBatch(
        db,
        batch.map(({ pk, sk }) => deleteItem(table, { pk, sk })),
      );
      removed += batch.length;
    }
  }
  return true;
}
