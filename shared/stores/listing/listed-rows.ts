import type { Db } from "../db.ts";
import { queryPages } from "../query-pages.ts";
import type { Partition } from "./index-keys.ts";
import type { Indexed, Listed } from "./listing.ts";

type Wanted = {
  readonly forward: boolean;
  /** Only records that sort after this. */
  readonly after?: string;
  readonly perQuery?: number;
};

/** Index rows of one partition in the order of the index, page by page as they are asked for. */
export async function* listedRows<Row extends Listed>(
  db: Db,
  { table }: Indexed<Row>,
  partition: Partition,
  { forward, after, perQuery }: Wanted,
): AsyncGenerator<Row, undefined> {
  const index = partition.startsWith("owner#")
    ? { name: "by_owner", key: "owner_key" }
    : { name: "by_opening", key: "all_key" };
  const pages = queryPages(db, {
    TableName: db.tables[table],
    IndexName: index.name,
    KeyConditionExpression: `${index.key} = :partition${after === undefined ? "" : " AND opened > :after"}`,
    ExpressionAttributeValues: { ":partition": partition, ...(after !== undefined && { ":after": after }) },
    ScanIndexForward: forward,
    ...(perQuery && { Limit: perQuery }),
  });
  for await (const page of pages) yield* (page.Items ?? []) as Row[]; // as projected
  return undefined;
}
