import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand, type UpdateCommandInput } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { type MetricsScope, refreshKey } from "./metrics-scope.ts";
import { type RunningRefresh, refreshFrom, type StoredRefresh } from "./refresh-item.ts";

type Change = Pick<
  UpdateCommandInput,
  "UpdateExpression" | "ConditionExpression" | "ExpressionAttributeNames" | "ExpressionAttributeValues"
>;

/** One guarded write to the record of a scope's refresh. @returns undefined when its condition refused it */
export async function changeRefresh(
  db: Db,
  scope: MetricsScope,
  change: Change,
): Promise<StoredRefresh | undefined> {
  const update = new UpdateCommand({
    TableName: db.tables.metrics,
    Key: refreshKey(scope),
    ...change,
    ReturnValues: "ALL_NEW",
  });
  try {
    const { Attributes } = await db.client.send(update);
    return refreshFrom(Attributes ?? {});
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return undefined;
  }
}

/** The condition of every write of a running refresh: no other has started since. */
export const isRunning = "refresh_id = :id AND #status = :running";
export const runningValues = ({ refresh_id }: Pick<RunningRefresh, "refresh_id">) => ({
  ":id": refresh_id,
  ":running": "running",
});
