import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { approvalFrom, approvalKey, type StoredApproval } from "./approval-item.ts";

export async function getApproval(db: Db, id: string): Promise<StoredApproval | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.approvals, Key: approvalKey(id), ConsistentRead: true }),
  );
  return Item && approvalFrom(Item);
}

/** The approvals that exist. A run has one for each of its pauses: they are few. */
export async function getApprovals(db: Db, ids: readonly string[]): Promise<StoredApproval[]> {
  const found = await Promise.all(ids.map((id) => getApproval(db, id)));
  return found.filter((approval) => approval !== undefined);
}
