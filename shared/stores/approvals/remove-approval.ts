import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { writeIfUnchanged } from "../write-if-unchanged.ts";
import { approvalKey } from "./approval-item.ts";

/** @returns false when there was none */
export async function removeApproval(db: Db, id: string): Promise<boolean> {
  const remove = new DeleteCommand({
    TableName: db.tables.approvals,
    Key: approvalKey(id),
    ConditionExpression: "attribute_exists(pk)",
  });
  return writeIfUnchanged(() => db.client.send(remove));
}
