import type { Db } from "../db.ts";
import { queryPages } from "../query-pages.ts";
import type { Partition } from "./index-keys.ts";
import type { Indexed, Listed } from "./listing.ts";

type Range = {
  readonly forward: boolean;
  /** Only records that sort after this. */
  readonly after?: string;
  /** Only records that do not sort after this. */
  readonly through?: string;
  readonly perQuery?: number;
};

/** Index rows of one partition in the order of the index; pages are read as they are consumed. */
export async function* listedRows<Row extends Listed>(
  db: Db,
  { table }: Indexed<Row>,
  partition: Partition,
  { forward, after, through, perQuery }: Range,
): AsyncGenerator<Row, undefined> {
  const index = indexOf(partition);
  const pages = queryPages(db, {
    TableName: db.tables[table],
    IndexName: index.name,
    KeyConditionExpression: `${index.key} = :partition${rangeOf(after, through)}`,
    ExpressionAttributeValues: {
      ":partition": partition,
      ...(after !== undefined && { ":after": after }),
      ...(through !== undefined && { ":through": through }),
    },
    ScanIndexForward: forward,
    ...(perQuery && { Limit: perQuery }),
  });
  for await (const page of pages) yield* (page.Items ?? []) as Row[]; // as projected
  return undefined;
}

/** A query takes one condition on the sort key. With both ends, `after` is a time without an id: no record's key. */
function rangeOf(after: string | undefined, through: string | undefined): string {
  if (after !== undefined && through !== undefined) return " AND opened BETWEEN :after AND :through";
  if (after !== undefined) return " AND opened > :after";
  return through === undefined ? "" : " AND opened <= :through";
}

function indexOf(partition: Partition): { readonly name: string; readonly key: string } {
  if (partition.startsWith("owner#")) return { name: "by_owner", key: "owner_key" };
  if (partition.startsWith("component#")) return { name: "by_component", key: "component_key" };
  if (partition.startsWith("session#")) return { name: "by_session", key: "session_key" };
  if (partition.startsWith("resting#")) return { name: "by_status", key: "status_key" };
  if (partition.startsWith("failed#")) return { name: "by_failure", key: "failed_key" };
  return { name: "by_opening", key: "all_key" };
}
