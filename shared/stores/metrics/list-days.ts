import type { UtcDay } from "../../domain/utc-day.ts";
import type { Db } from "../db.ts";
import { queryPages } from "../query-pages.ts";
import { metricsDayFrom, type StoredMetricsDay } from "./day-item.ts";
import { dayKey, type MetricsScope } from "./metrics-scope.ts";

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
