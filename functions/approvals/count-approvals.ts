import { approvalsCaller } from "../../shared/auth/approvals-caller.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { approvalRoutes } from "../../shared/routes/approvals.ts";
import { countPending } from "../../shared/stores/approvals/list-approvals.ts";
import type { ApprovalsDeps } from "./approvals-deps.ts";

/** Pending ones only. */
export const countApprovals: Handler<typeof approvalRoutes.countApprovals, ApprovalsDeps> = async (
  { query, principal },
  { db, approvers },
) => {
  const caller = approvalsCaller(principal, approvers);
  return { count: await countPending(db, caller.seesAll ? query.user_id : caller.user_id) };
};
