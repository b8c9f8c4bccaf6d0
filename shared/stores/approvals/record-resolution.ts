import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { Approval, ApprovalStatus } from "../../schemas/runs/approval.ts";
import type { Db } from "../db.ts";
import { pastConflicts } from "../transact.ts";
import { approvalFrom, approvalKey, type StoredApproval, statusAttributes } from "./approval-item.ts";

/** How a pending approval is resolved. */
export type ApprovalResolution = { readonly status: Exclude<ApprovalStatus, "pending"> } & Partial<
  Pick<Approval, "resolved_by" | "resolved_at" | "resolution_data" | "run_status">
> & { readonly updated_at?: number };

/** A lost race is a result: it carries the approval that was seen instead. */
export type ResolutionResult =
  | { readonly recorded: true; readonly approval: StoredApproval }
  | { readonly recorded: false; readonly seen: StoredApproval | undefined };

/** Resolves an approval once: of two concurrent calls one succeeds. */
export async function recordResolution(
  db: Db,
  id: string,
  resolution: ApprovalResolution,
): Promise<ResolutionResult> {
  const update = new UpdateCommand({ ...resolutionOf(db, id, resolution), ReturnValues: "ALL_NEW" });
  try {
    const { Attributes } = await pastConflicts(() => db.client.send(update));
    return { recorded: true, approval: approvalFrom(Attributes ?? {}) };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // The document client leaves this item in attribute form ({ S: … }).
    return { recorded: false, seen: error.Item && approvalFrom(unmarshall(error.Item)) };
  }
}

/** The parameters of that write, for a single update or for an entry of a transaction. */
export function resolutionOf(db: Db, id: string, resolution: ApprovalResolution) {
  const sets = { ...resolution, ...statusAttributes(resolution.status, id) };
  return {
    TableName: db.tables.approvals,
    Key: approvalKey(id),
    ...assignments(sets),
    ConditionExpression: "#status = :pending",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
    ExpressionAttributeValues: { ...assignments(sets).ExpressionAttributeValues, ":pending": "pending" },
  };
}

/** The parameters of a write that records in an approval how its run ended; a deleted approval refuses it. */
export const runStatusOf = (db: Db, id: string, run_status: string) => ({
  TableName: db.tables.approvals,
  Key: approvalKey(id),
  ...assignments({ run_status }),
  ConditionExpression: "attribute_exists(pk)",
});

function assignments(sets: Readonly<Record<string, unknown>>) {
  const written = Object.entries(sets).filter(([, value]) => value !== undefined);
  return {
    UpdateExpression: `SET ${written.map(([name]) => `#${name} = :${name}`).join(", ")}`,
    ExpressionAttributeNames: Object.fromEntries(written.map(([name]) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(written.map(([name, value]) => [`:${name}`, value])),
  };
}
