import type { Db } from "../db.ts";
import { queryPages } from "../query-pages.ts";
import { type Counted, countOf, countsPartition } from "./component-keys.ts";
import type { Place } from "./list-components.ts";

/** How many components some audiences have in some places, from the counts that every change keeps. */
export async function countComponents(
  db: Db,
  audiences: readonly Counted[],
  places: readonly Place[],
): Promise<number> {
  const names = places.map(({ state, type }) => countOf(state, type));
  const sums = await Promise.all(audiences.map((audience) => sumOf(db, audience, names)));
  return sums.reduce((sum, one) => sum + one, 0);
}

async function sumOf(db: Db, audience: Counted, names: readonly string[]): Promise<number> {
  let sum = 0;
  const pages = queryPages(db, {
    TableName: db.tables.components,
    KeyConditionExpression: "pk = :counted",
    ExpressionAttributeValues: { ":counted": countsPartition(audience) },
    ConsistentRead: true,
  });
  for await (const { Items = [] } of pages) {
    for (const item of Items) for (const name of names) sum += Number(item[name] ?? 0);
  }
  return sum;
}
