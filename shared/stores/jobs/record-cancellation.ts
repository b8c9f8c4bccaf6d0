import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { pastConflicts } from "../transact.ts";
import { jobFrom, type StoredJob } from "./job-item.ts";
import { jobKey } from "./job-keys.ts";

/**
 * Records the cancellation of a job in any state; recording it again extends it.
 *
 * @param until  epoch seconds at which the cancellation expires
 * @returns      the job with the cancellation, or undefined when there is none
 */
export async function recordCancellation(db: Db, id: string, until: number): Promise<StoredJob | undefined> {
  const update = new UpdateCommand({
    TableName: db.tables.jobs,
    Key: jobKey(id),
    UpdateExpression: "SET cancel_until = :until",
    ConditionExpression: "attribute_exists(pk)",
    ExpressionAttributeValues: { ":until": until },
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
