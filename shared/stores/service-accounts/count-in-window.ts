import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";

const WINDOW_SECONDS = 60;

type Counted = { readonly count: number; readonly ends_at: number };

/**
 * Counts further events of a kind in the minute that began with the first. When two processes start a minute
 * concurrently, the events of one are not counted; a limit tolerates that.
 *
 * @param key    such as `failures#203.0.113.7`
 * @param now    epoch seconds
 * @param count  how many
 */
export async function countInWindow(db: Db, key: string, now: number, count = 1): Promise<Counted> {
  const target = { TableName: db.tables.service_accounts, Key: { pk: key, sk: "window" } };
  try {
    const { Attributes } = await db.client.send(
      new UpdateCommand({
        ...target,
        UpdateExpression: "ADD #count :more",
        ConditionExpression: "expires_at > :now",
        ExpressionAttributeNames: { "#count": "count" },
        ExpressionAttributeValues: { ":more": count, ":now": now },
        ReturnValues: "ALL_NEW",
      }),
    );
    return { count: Number(Attributes?.count), ends_at: Number(Attributes?.expires_at) };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
  const ends_at = now + WINDOW_SECONDS;
  await db.client.send(
    new UpdateCommand({
      ...target,
      UpdateExpression: "SET #count = :first, expires_at = :end",
      ExpressionAttributeNames: { "#count": "count" },
      ExpressionAttributeValues: { ":first": count, ":end": ends_at },
    }),
  );
  return { count, ends_at };
}
