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
 * @returns false when it has a job by now, where its cancellation belongs, or was removed with its session
 */
export async function recordRunCancellation(db: Db, at: RunAddress, until: number): Promise<boolean> {
  const update = new UpdateCommand({
    TableName: db.tables.runs,
    Key: runKey(at.owner, at.session_id, at.run_id),
    UpdateExpression: "SET cancel_until = :until",
    // A run that was continued outside the queue keeps the mark of its ended job, and has a lease.
    ConditionExpression: "queued = :no OR attribute_exists(lease_until)",
    ExpressionAttributeValues: { ":until": until, ":no": false },
  });
  try {
    await pastConflicts(() => db.client.send(update));
    return true;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return false;
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
