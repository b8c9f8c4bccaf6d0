import { approvalsCaller } from "../../shared/auth/approvals-caller.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { approvalRoutes } from "../../shared/routes/approvals.ts";
import type { ApprovalsDeps } from "./approvals-deps.ts";
import { visibleApproval } from "./visible-approval.ts";

export const getApprovalStatus: Handler<typeof approvalRoutes.getApprovalStatus, ApprovalsDeps> = async (
  { params, principal },
  { db, approvers },
) => {
  const approval = await visibleApproval(db, approvalsCaller(principal, approvers), params.approval_id);
  const { id, status, run_id, resolved_at, resolved_by } = approval;
  return { approval_id: id, status, run_id, resolved_at, resolved_by };
};
