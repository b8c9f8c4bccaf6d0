import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { pastConflicts } from "../transact.ts";
import type { RunAddress } from "./run-address.ts";
import { runKey } from "./run-keys.ts";

/**
 * Records the cancellation of a foreground run, on its record: it has no job.
 *
 * @param until  epoch seconds at which the cancellation expires
 */
export async function recordRunCancellation(db: Db, at: RunAddress, until: number): Promise<void> {
  const update = new UpdateCommand({
    TableName: db.tables.runs,
    Key: runKey(at.owner, at.session_id, at.run_id),
    UpdateExpression: "SET cancel_until = :until",
    ConditionExpression: "attribute_exists(pk)",
    ExpressionAttributeValues: { ":until": until },
  });
  try {
    await pastConflicts(() => db.client.send(update));
  } catch (error) {
    // The record was removed with its session: there is nothing left to stop.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** The cancellation of a foreground run; an eventually consistent read: cheap, possibly a moment old. */
export async function readRunCancellation(db: Db, at: RunAddress): Promise<{ cancel_until?: number }> {
  const { Item } = await db.client.send(
    new GetCommand({
      TableName: db.tables.runs,
      Key: runKey(at.owner, at.session_id, at.run_id),
      ProjectionExpression: "cancel_until",
    }),
  );
  return Item ?? {};
}
