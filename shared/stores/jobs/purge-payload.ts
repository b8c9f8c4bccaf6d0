import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { pastConflicts } from "../transact.ts";
import { jobKey } from "./job-keys.ts";

/** Removes the user's input from a job, whose row stays on the list of jobs. */
export async function purgePayload(db: Db, id: string): Promise<void> {
  const update = new UpdateCommand({
    TableName: db.tables.jobs,
    Key: jobKey(id),
    UpdateExpression: "SET payload = :nothing",
    ConditionExpression: "attribute_exists(pk)",
    ExpressionAttributeValues: { ":nothing": { input: "", kwargs: {} } },
  });
  try {
    await pastConflicts(() => db.client.send(update));
  } catch (error) {
    // The job has expired.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
