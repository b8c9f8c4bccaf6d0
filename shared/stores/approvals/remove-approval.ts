import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { pastConflicts } from "../transact.ts";
import { approvalKey } from "./approval-item.ts";

/** @returns false when there was none */
export async function removeApproval(db: Db, id: string): Promise<boolean> {
  const remove = new DeleteCommand({
    TableName: db.tables.approvals,
    Key: approvalKey(id),
    ConditionExpression: "attribute_exists(pk)",
  });
  try {
    await pastConflicts(() => db.client.send(remove));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
