import type { Item } from "../../data/item.ts";
import type { Db } from "../db.ts";
import { queryPages } from "../query-pages.ts";
import type { Owned, OwnedKind, OwnedRow } from "./owned.ts";
import { RECORD, recordKey } from "./owned-keys.ts";

/** All records of one owner, read consistently, in no particular order. */
export async function recordsOf<Stored extends Owned, Row extends OwnedRow>(
  db: Db,
  { listing, read }: OwnedKind<Stored, Row>,
  owner: string | null,
): Promise<Stored[]> {
  const { pk } = recordKey(owner, "");
  const pages = queryPages(db, {
    TableName: db.tables[listing.table],
    KeyConditionExpression: "pk = :pk AND begins_with(sk, :record)",
    ExpressionAttributeValues: { ":pk": pk, ":record": RECORD },
    ConsistentRead: true,
  });
  const items: Item[] = [];
  for await (const page of pages) items.push(...(page.Items ?? []));
  return items.map(read);
}
