import * as v from "valibot";
import { deleteItem, putItem, write } from "../../data/index.ts";
import type { Group } from "../../domain/metrics/day-groups.ts";
import type { UtcDay } from "../../domain/utc-day.ts";
import { type Db, queryPages } from "../db.ts";
import { packJson, unpackJson } from "../objects/spill.ts";
import { breakdownKey, type MetricsScope } from "./metrics-scope.ts";

/** Version of the stored shape; raised with every change of it. */
export const BREAKDOWN_SHAPE = 1;

/** The groups of one day as packed JSON, beside the day's item: lists of days do not read them. */
export const StoredBreakdown = v.object({ day: v.string(), packed: v.instance(Uint8Array) });

export type DayBreakdown = { readonly day: UtcDay; readonly groups: readonly Group[] };

export async function putBreakdown(
  db: Db,
  scope: MetricsScope,
  { day, groups }: DayBreakdown,
): Promise<void> {
  const item = { ...breakdownKey(scope, day), day, packed: await packJson(groups), shape: BREAKDOWN_SHAPE };
  await write(db, putItem("metrics", item));
}

/** The breakdowns of a range of days, the oldest first. Both bounds are inclusive; none if they are reversed. */
export async function listBreakdowns(
  db: Db,
  scope: MetricsScope,
  { from, to }: { readonly from: UtcDay; readonly to: UtcDay },
): Promise<DayBreakdown[]> {
  // DynamoDB refuses a range whose end is before its start.
  if (from > to) return [];
  const { pk, sk } = breakdownKey(scope, from);
  const days: DayBreakdown[] = [];
  const pages = queryPages(db, {
    TableName: db.tables.metrics,
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
    ExpressionAttributeValues: { ":pk": pk, ":from": sk, ":to": breakdownKey(scope, to).sk },
    ConsistentRead: true,
  });
  for await (const { Items = [] } of pages) {
    for (const item of Items) {
      const { day, packed } = v.parse(StoredBreakdown, item);
      days.push({ day, groups: await unpackJson<Group[]>(packed) });
    }
  }
  return days;
}

export async function removeBreakdown(db: Db, scope: MetricsScope, day: UtcDay): Promise<void> {
  await write(db, deleteItem("metrics", breakdownKey(scope, day)));
}
