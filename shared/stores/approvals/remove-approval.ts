import { deleteItem, exists, transact, updateItem, write } from "../../data/index.ts";
import { auditedChange } from "../audit/audit-item.ts";
import type { Db } from "../db.ts";
import { approvalKey, getApproval } from "./approval-item.ts";

/** @returns false when there was none */
export async function removeApproval(db: Db, id: string): Promise<boolean> {
  const before = await getApproval(db, id);
  if (!before) return false;
  const { status, resolved_by, resolved_at, run_id, session_id, user_id } = before;
  const { written } = await transact(db, {
    approval: deleteItem("approvals", approvalKey(id), exists),
    audit: auditedChange(db, {
      on_behalf_of: user_id,
      target: { approval_id: id, run_id, session_id },
      before: { status, resolved_by, resolved_at },
    }),
  });
  return written;
}

/**
 * Removes what was said from an approval: the arguments of its calls, what was asked and what was answered. Who decided
 * what and when stays. Idempotent.
 */
export async function purgeApproval(db: Db, id: string): Promise<void> {
  // Digests would let one guess short arguments.
  const said = { tool_args: null, edited_args: null, requirements: null, resolution_data: null, digests: {} };
  const set = { ...said, asked_json: undefined, edited_json: undefined };
  await write(db, updateItem("approvals", approvalKey(id), { set, guard: exists }));
}
