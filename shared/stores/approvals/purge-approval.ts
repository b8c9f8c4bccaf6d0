import { exists } from "../../data/guard.ts";
import { write } from "../../data/write.ts";
import { updateItem } from "../../data/writes.ts";
import type { Db } from "../db.ts";
import { approvalKey } from "./approval-item.ts";

/**
 * Removes what was said from an approval: the arguments of its calls, what was asked and what was answered. Who decided
 * what and when stays. Idempotent.
 */
export async function purgeApproval(db: Db, id: string): Promise<void> {
  // Digests would let one guess short arguments.
  const set = { tool_args: null, edited_args: null, requirements: null, resolution_data: null, digests: {} };
  await write(db, updateItem("approvals", approvalKey(id), { set, guard: exists }));
}
