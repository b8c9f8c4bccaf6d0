import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";

const WINDOW_SECONDS = 60;

type Counted = { readonly count: number; readonly ends_at: number };

/**
 * Counts one more event of a kind in the minute that began with the first. When two processes start a minute
 * concurrently, one event is not counted; a limit tolerates that.
 *
 * @param key  such as `failures#203.0.113.7`
 * @param now  epoch seconds
 */
export async function countInWindow(db: Db, key: string, now: number): Promise<Counted> {
  const target = { TableName: db.tables.service_accounts, Key: { pk: key, sk: "window" } };
  try {
    const { Attributes } = await db.client.send(
      new UpdateCommand({
        ...target,
        UpdateExpression: "ADD #count :one",
        ConditionExpression: "expires_at > :now",
        ExpressionAttributeNames: { "#count": "count" },
        ExpressionAttributeValues: { ":one": 1, ":now": now },
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
      UpdateExpression: "SET #count = :one, expires_at = :end",
      ExpressionAttributeNames: { "#count": "count" },
      ExpressionAttributeValues: { ":one": 1, ":end": ends_at },
    }),
  );
  return { count: 1, ends_at };
}
