import { approvalsCaller } from "../../shared/auth/approvals-caller.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { approvalRoutes } from "../../shared/routes/approvals.ts";
import { wireApproval } from "../../shared/stores/approvals/approval-item.ts";
import type { ApprovalsDeps } from "./approvals-deps.ts";
import { visibleApproval } from "./visible-approval.ts";

export const getApproval: Handler<typeof approvalRoutes.getApproval, ApprovalsDeps> = async (
  { params, principal },
  { db, approvers },
) => wireApproval(await visibleApproval(db, approvalsCaller(principal, approvers), params.approval_id));
