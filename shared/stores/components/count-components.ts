import type { Db } from "../db.ts";
import { queryPages } from "../query-pages.ts";
import { type Counted, countOf, countsPartition } from "./component-keys.ts";
import type { Place } from "./place.ts";

/**
 * How many components an audience has by state and type, from the counters that every change updates.
 *
 * @returns the number for one state and type
 */
export async function countComponents(db: Db, audience: Counted): Promise<(place: Place) => number> {
  const items: Record<string, unknown>[] = [];
  const pages = queryPages(db, {
    TableName: db.tables.components,
    KeyConditionExpression: "pk = :counted",
    ExpressionAttributeValues: { ":counted": countsPartition(audience) },
    ConsistentRead: true,
  });
  for await (const { Items = [] } of pages) items.push(...Items);
  return ({ state, type }) => items.reduce((sum, item) => sum + Number(item[countOf(state, type)] ?? 0), 0);
}
