import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { pastConflicts } from "../transact.ts";
import { jobFrom, type StoredJob } from "./job-item.ts";
import { jobKey } from "./job-keys.ts";

/** Clocks of two functions may differ by this. */
const SKEW_SECONDS = 2;

/**
 * Records the cancellation of a job that has not ended; recording it again extends it. An ended one is left alone: the
 * cancellation would stop its next requeue. So would one that was on its way while the job was cancelled, by a repetition
 * of the same call, and requeued: it is refused too.
 *
 * @param now    when the cancellation was requested; epoch seconds
 * @param until  when it expires; epoch seconds
 * @returns      the job with the cancellation; undefined when it has ended, or there is none
 */
export async function recordCancellation(
  db: Db,
  id: string,
  { now, until }: { readonly now: number; readonly until: number },
): Promise<StoredJob | undefined> {
  const update = new UpdateCommand({
    TableName: db.tables.jobs,
    Key: jobKey(id),
    UpdateExpression: "SET cancel_until = :until",
    ConditionExpression:
      "#status IN (:queued, :running, :paused) AND (attribute_not_exists(requeued_at) OR requeued_at <= :latest)",
    ExpressionAttributeNames: { "#status": "status" },
    ExpressionAttributeValues: {
      ":until": until,
      ":latest": now + SKEW_SECONDS,
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
