import { deleteItem, exists, updateItem, write } from "../../data/index.ts";
import type { Db } from "../db.ts";
import { approvalKey } from "./approval-item.ts";

/** @returns false when there was none */
export async function removeApproval(db: Db, id: string): Promise<boolean> {
  return (await write(db, deleteItem("approvals", approvalKey(id), exists))).written;
}

/**
 * Removes what was said from an approval: the arguments of its calls, what was asked and what was answered. Who decided
 * what and when stays. Idempotent.
 */
export async function purgeApproval(db: Db, id: string): Promise<void> {
  // Digests would let one guess short arguments.
  const set = { tool_args: null, requirements: null, resolution_data: null, digests: {} };
  await write(db, updateItem("approvals", approvalKey(id), { set, guard: exists }));
}
