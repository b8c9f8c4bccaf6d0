import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { writeIfUnchanged } from "../write-if-unchanged.ts";
import { accountKey } from "./account-item.ts";

const RECORDED_EVERY_SECONDS = 60;

/**
 * Sets `last_used_at`, unless any process has done so within the last minute.
 *
 * @param now  epoch seconds
 * @source contract, auth section 4, "last_used_at"
 */
export async function recordUse(db: Db, accountId: string, now: number): Promise<void> {
  const update = new UpdateCommand({
    TableName: db.tables.service_accounts,
    Key: accountKey(accountId),
    UpdateExpression: "SET last_used_at = :now",
    ConditionExpression:
      "attribute_exists(pk) AND (attribute_not_exists(last_used_at) OR last_used_at <= :before)",
    ExpressionAttributeValues: { ":now": now, ":before": now - RECORDED_EVERY_SECONDS },
  });
  await writeIfUnchanged(() => db.client.send(update));
}
