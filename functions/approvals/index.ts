import { httpOptionsFrom } from "../../shared/http/http-options.ts";
import { serve } from "../../shared/http/serve.ts";
import { approvalRoutes } from "../../shared/routes/approvals.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { approvalsEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { connectDb } from "../../shared/stores/db.ts";
import type { ApprovalsDeps } from "./approvals-deps.ts";
import { countApprovals } from "./count-approvals.ts";
import { getApproval } from "./get-approval.ts";
import { getApprovalStatus } from "./get-approval-status.ts";
import { listApprovals } from "./list-approvals.ts";
import { removeApproval } from "./remove-approval.ts";

const env = readEnv(approvalsEnv);
const deps: ApprovalsDeps = {
  db: connectDb(env),
  clock: systemClock,
  approvers: env.APPROVERS,
};

export const handler = serve(
  approvalRoutes,
  { listApprovals, countApprovals, getApproval, getApprovalStatus, removeApproval },
  deps,
  httpOptionsFrom(env),
);
