import type { Caller } from "../../shared/auth/caller.ts";
import { notFound } from "../../shared/errors.ts";
import { getApproval, type StoredApproval } from "../../shared/stores/approvals/approval-item.ts";
import type { Db } from "../../shared/stores/db.ts";

/**
 * An approval that the caller may see: its own, or any for an approver.
 *
 * @throws ServiceError NOT_FOUND, with one text for every cause
 */
export async function visibleApproval(db: Db, caller: Caller, id: string): Promise<StoredApproval> {
  const approval = await getApproval(db, id);
  if (!approval || !(caller.seesAll || approval.user_id === caller.user_id)) throw notFound("approval", id);
  return approval;
}
