import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { Approval, ApprovalStatus } from "../../schemas/runs/approval.ts";
import type { Db } from "../db.ts";
import { tellChanges } from "../outbox/change-event.ts";
import { pastConflicts, transact } from "../transact.ts";
import { approvalChange } from "./approval-change.ts";
import { approvalFrom, approvalKey, type StoredApproval, statusAttributes } from "./approval-item.ts";
import { getApproval } from "./get-approval.ts";

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
  if (await db.outbox?.isHeard("approval")) return resolveAndTell(db, id, resolution);
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

/** The same with an event, which says more of the approval than its resolution does. */
async function resolveAndTell(db: Db, id: string, resolution: ApprovalResolution): Promise<ResolutionResult> {
  const before = await getApproval(db, id);
  if (!before) return { recorded: false, seen: undefined };
  const now = resolution.updated_at ?? resolution.resolved_at ?? before.created_at;
  const told = await tellChanges(db, [approvalChange({ ...before, ...resolution }, now)]);
  const result = await transact(db, () => [{ Update: resolutionOf(db, id, resolution) }, ...told.entries]);
  if (!result.written) return { recorded: false, seen: result.seen && approvalFrom(result.seen) };
  await told.wake();
  const approval = await getApproval(db, id);
  if (!approval) return { recorded: false, seen: undefined };
  return { recorded: true, approval };
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
