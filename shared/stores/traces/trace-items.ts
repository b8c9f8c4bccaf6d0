import type { Item } from "../../data/item.ts";
import type { Db } from "../db.ts";
import { queryPages } from "../query-pages.ts";
import { ownersPrefix, tracePartition } from "./trace-keys.ts";

/**
 * All items of a trace. Spans are in the order in which they were written: that of the attempts, and of time within them.
 *
 * @param owner  whose; undefined for any owner's
 */
export async function traceItems(db: Db, traceId: string, owner: string | null | undefined): Promise<Item[]> {
  const items: Item[] = [];
  const pages = queryPages(db, {
    TableName: db.tables.traces,
    KeyConditionExpression: `pk = :pk${owner === undefined ? "" : " AND begins_with(sk, :owner)"}`,
    ExpressionAttributeValues: {
      ":pk": tracePartition(traceId),
      ...(owner !== undefined && { ":owner": ownersPrefix(owner) }),
    },
    ConsistentRead: true,
  });
  for await (const { Items = [] } of pages) items.push(...Items);
  return items;
}
