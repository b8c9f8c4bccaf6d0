import * as v from "valibot";
import { deleteItem, type Item, ifAbsent, updateItem, write } from "../../data/index.ts";
import type { UtcDay } from "../../domain/utc-day.ts";
import { dayFigures } from "../../schemas/traces/metrics.ts";
import { type Db, queryPages } from "../db.ts";
import { dayKey, type MetricsScope } from "./metrics-scope.ts";

/** Version of the stored shape; raised with every change of it. */
export const METRICS_DAY_SHAPE = 3;

/** The figures of one day, as last computed. */
export const StoredMetricsDay = v.object({
  /** In UTC, such as `2026-11-21`. */
  day: v.string(),
  ...dayFigures,
  /** The refresh that computed it last. */
  refresh_id: v.string(),
  /** Epoch seconds. */
  created_at: v.number(),
  updated_at: v.number(),
});
export type StoredMetricsDay = v.InferOutput<typeof StoredMetricsDay>;

/** @throws when the item is not a day of a shape that this code reads */
const metricsDayFrom = (item: Item): StoredMetricsDay => v.parse(StoredMetricsDay, item);

/** Overwrites a day's figures, but not the time at which it was first computed. */
export async function putDay(
  db: Db,
  scope: MetricsScope,
  { created_at, ...figures }: StoredMetricsDay,
): Promise<void> {
  const set = {
    created_at: ifAbsent(created_at),
    cost: undefined,
    ...figures,
    shape: METRICS_DAY_SHAPE,
  };
  await write(db, updateItem("metrics", dayKey(scope, figures.day), { set }));
}

/** Before and after every possible date. */
const FIRST: UtcDay = "0000-01-01";
const LAST: UtcDay = "9999-12-31";

/** The stored days of a scope, the oldest first. Both bounds are inclusive; none if they are reversed. */
export async function listDays(
  db: Db,
  scope: MetricsScope,
  { from = FIRST, to = LAST }: { readonly from?: UtcDay | undefined; readonly to?: UtcDay | undefined },
): Promise<StoredMetricsDay[]> {
  // DynamoDB refuses a range whose end is before its start.
  if (from > to) return [];
  const { pk, sk } = dayKey(scope, from);
  const days: StoredMetricsDay[] = [];
  const pages = queryPages(db, {
    TableName: db.tables.metrics,
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
    ExpressionAttributeValues: { ":pk": pk, ":from": sk, ":to": dayKey(scope, to).sk },
    ConsistentRead: true,
  });
  for await (const { Items = [] } of pages) days.push(...Items.map(metricsDayFrom));
  return days;
}

/** Deletes a day that was computed before all of its sessions were removed. */
export async function removeDay(db: Db, scope: MetricsScope, day: UtcDay): Promise<void> {
  await write(db, deleteItem("metrics", dayKey(scope, day)));
}
