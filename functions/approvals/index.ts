import { httpOptionsFrom } from "../../shared/http/http-options.ts";
import { serve } from "../../shared/http/serve.ts";
import { approvalRoutes } from "../../shared/routes/approvals.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { approvalsEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { auditWriter } from "../../shared/stores/audit/write-audit.ts";
import { connectDb } from "../../shared/stores/db.ts";
import type { ApprovalsDeps } from "./approvals-deps.ts";
import * as handlers from "./handlers.ts";

const env = readEnv(approvalsEnv);
const deps: ApprovalsDeps = {
  db: connectDb(env),
  clock: systemClock,
  approvers: env.APPROVERS,
};

export const handler = serve(approvalRoutes, handlers, deps, httpOptionsFrom(env, auditWriter(deps.db)));
