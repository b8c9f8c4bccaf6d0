import { exists } from "../../data/guard.ts";
import { transact } from "../../data/transact.ts";
import { writeAndRead } from "../../data/write.ts";
import { given, type Update, updateItem } from "../../data/writes.ts";
import type { Approval, ApprovalStatus } from "../../schemas/runs/approval.ts";
import type { Db } from "../db.ts";
import { tellChanges } from "../outbox/change-event.ts";
import { approvalChange } from "./approval-change.ts";
import { approvalFrom, approvalKey, type StoredApproval, statusAttributes } from "./approval-item.ts";
import { getApproval } from "./get-approval.ts";

/** How a pending approval is resolved. */
export type ApprovalResolution = { readonly status: Exclude<ApprovalStatus, "pending"> } & Partial<
  Pick<Approval, "resolved_by" | "resolved_at" | "resolution_data" | "run_status">
> & { readonly updated_at?: number } & Partial<Pick<StoredApproval, "edited_args" | "digests">>;

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
  const result = await writeAndRead(db, resolutionOf(id, resolution));
  if (result.written) return { recorded: true, approval: approvalFrom(result.item) };
  return { recorded: false, seen: result.seen && approvalFrom(result.seen) };
}

/** The same with an event, which says more of the approval than its resolution does. */
async function resolveAndTell(db: Db, id: string, resolution: ApprovalResolution): Promise<ResolutionResult> {
  const before = await getApproval(db, id);
  if (!before) return { recorded: false, seen: undefined };
  const now = resolution.updated_at ?? resolution.resolved_at ?? before.created_at;
  const told = await tellChanges(db, [approvalChange({ ...before, ...resolution }, now)]);
  const result = await transact(db, { approval: resolutionOf(id, resolution), told: told.entries });
  if (!result.written) return { recorded: false, seen: result.seen && approvalFrom(result.seen) };
  await told.wake();
  const approval = await getApproval(db, id);
  if (!approval) return { recorded: false, seen: undefined };
  return { recorded: true, approval };
}

/** That write, refused for an approval that is not pending. What the resolution leaves undefined stays. */
export function resolutionOf(id: string, resolution: ApprovalResolution): Update {
  return updateItem("approvals", approvalKey(id), {
    set: { ...given(resolution), ...statusAttributes(resolution.status, id) },
    guard: { status: "pending" },
  });
}

/** The write that records in an approval how its run ended; a deleted approval refuses it. */
export const runStatusOf = (id: string, run_status: string): Update =>
  updateItem("approvals", approvalKey(id), { set: { run_status }, guard: exists });
