import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { METRICS_DAY_SHAPE, type StoredMetricsDay } from "./day-item.ts";
import { dayKey, type MetricsScope } from "./metrics-scope.ts";

/** Overwrites a day's figures, but not the time at which it was first computed. */
export async function putDay(
  db: Db,
  scope: MetricsScope,
  { created_at, ...figures }: StoredMetricsDay,
): Promise<void> {
  const written = Object.entries({ ...figures, shape: METRICS_DAY_SHAPE });
  const removed = figures.cost === undefined ? " REMOVE cost" : "";
  await db.client.send(
    new UpdateCommand({
      TableName: db.tables.metrics,
      Key: dayKey(scope, figures.day),
      UpdateExpression: `SET created_at = if_not_exists(created_at, :created), ${written
        .map((_, i) => `#f${i} = :f${i}`)
        .join(", ")}${removed}`,
      ExpressionAttributeNames: Object.fromEntries(written.map(([name], i) => [`#f${i}`, name])),
      ExpressionAttributeValues: {
        ":created": created_at,
        ...Object.fromEntries(written.map(([, value], i) => [`:f${i}`, value])),
      },
    }),
  );
}
