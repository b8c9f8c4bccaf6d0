import type { TableName } from "../runtime/table-env.ts";
import type { Db } from "./db.ts";
import { queryPages } from "./query-pages.ts";
import type { Item } from "./transact.ts";

type Due = {
  readonly table: TableName;
  /** The attribute that the index has its partitions by, and the one to look in. */
  readonly key: "due_shard" | "due_key";
  readonly partition: string;
  /** Whatever sorts before this is due. */
  readonly until: string;
  /** How many are enough; a page more may come. */
  readonly most: number;
};

/** What the index `by_due` carries of items whose time has come, those first that wait longest. */
export async function dueItems(db: Db, { table, key, partition, until, most }: Due): Promise<Item[]> {
  const due: Item[] = [];
  const pages = queryPages(db, {
    TableName: db.tables[table],
    IndexName: "by_due",
    KeyConditionExpression: `${key} = :partition AND due < :until`,
    ExpressionAttributeValues: { ":partition": partition, ":until": until },
    Limit: most,
  });
  for await (const { Items = [] } of pages) {
    due.push(...Items);
    if (due.length >= most) break;
  }
  return due;
}
