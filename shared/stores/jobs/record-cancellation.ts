import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { pastConflicts } from "../transact.ts";
import { jobFrom, type StoredJob } from "./job-item.ts";
import { jobKey } from "./job-keys.ts";

/**
 * Records the cancellation of a job that has not ended; recording it again extends it. An ended one is left alone: the
 * cancellation would stop its next requeue.
 *
 * @param until  epoch seconds at which the cancellation expires
 * @returns      the job with the cancellation; undefined when it has ended, or there is none
 */
export async function recordCancellation(db: Db, id: string, until: number): Promise<StoredJob | undefined> {
  const update = new UpdateCommand({
    TableName: db.tables.jobs,
    Key: jobKey(id),
    UpdateExpression: "SET cancel_until = :until",
    ConditionExpression: "#status IN (:queued, :running, :paused)",
    ExpressionAttributeNames: { "#status": "status" },
    ExpressionAttributeValues: {
      ":until": until,
      ":queued": "queued",
      ":running": "running",
      ":paused": "paused",
    },
    ReturnValues: "ALL_NEW",
  });
  try {
    const { Attributes } = await pastConflicts(() => db.client.send(update));
    return Attributes && jobFrom(Attributes);
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}
