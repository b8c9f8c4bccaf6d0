import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { writeIfUnchanged } from "../write-if-unchanged.ts";
import { approvalKey } from "./approval-item.ts";

/**
 * Removes what was said from an approval: the arguments of its calls, what was asked and what was answered. Who decided
 * what and when stays. Idempotent.
 */
export async function purgeApproval(db: Db, id: string): Promise<void> {
  const update = new UpdateCommand({
    TableName: db.tables.approvals,
    Key: approvalKey(id),
    // Digests would let one guess short arguments.
    UpdateExpression:
      "SET tool_args = :null, requirements = :null, resolution_data = :null, digests = :nothing",
    ConditionExpression: "attribute_exists(pk)",
    ExpressionAttributeValues: { ":null": null, ":nothing": {} },
  });
  await writeIfUnchanged(() => db.client.send(update));
}
