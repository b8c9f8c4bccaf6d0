import { callerOf } from "../../shared/auth/caller.ts";
import { notFound } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { approvalRoutes } from "../../shared/routes/approvals.ts";
import { removeApproval as remove } from "../../shared/stores/approvals/remove-approval.ts";
import type { ApprovalsDeps } from "./approvals-deps.ts";

/** @throws ServiceError NOT_FOUND for everybody but an admin, also for one's own */
export const removeApproval: Handler<typeof approvalRoutes.removeApproval, ApprovalsDeps> = async (
  { params, principal },
  { db },
) => {
  const removed = callerOf(principal).seesAll && (await remove(db, params.approval_id));
  if (!removed) throw notFound("approval", params.approval_id);
  return undefined;
};
