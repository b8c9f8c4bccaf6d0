import { approvalsCaller } from "../../shared/auth/approvals-caller.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { approvalRoutes } from "../../shared/routes/approvals.ts";
import { pageMeta } from "../../shared/schemas/values/page.ts";
import { wireApproval } from "../../shared/stores/approvals/approval-item.ts";
import { listApprovals as findApprovals } from "../../shared/stores/approvals/list-approvals.ts";
import type { ApprovalsDeps } from "./approvals-deps.ts";

/** @source docs/interface/approvals.md 2.1 */
export const listApprovals: Handler<typeof approvalRoutes.listApprovals, ApprovalsDeps> = async (
  { query, principal },
  { db, clock, approvers },
) => {
  const { page, limit, ...requested } = query;
  const caller = approvalsCaller(principal, approvers);
  const filter = caller.seesAll ? requested : { ...requested, user_id: caller.user_id };
  const startedAt = clock.now();
  const { approvals, total } = await findApprovals(db, filter, { page, limit });
  return { data: approvals.map(wireApproval), meta: pageMeta(page, limit, total, clock.now() - startedAt) };
};
