import type { approvalRoutes, resolveRoutes } from "../../routes/approvals.ts";
import type { Approval } from "../../schemas/runs/approval.ts";
import type { ExamplesOf } from "./example.ts";
import { pageWith } from "./page-with.ts";
import { pathExamples } from "./path-examples.ts";

const pending: Approval = {
  id: pathExamples.approval_id,
  run_id: pathExamples.run_id,
  session_id: pathExamples.session_id,
  status: "pending",
  source_type: "agent",
  approval_type: "required",
  pause_type: "confirmation",
  tool_name: "close_account",
  tool_args: { account: "4711" },
  expires_at: null,
  agent_id: "account-desk",
  team_id: null,
  workflow_id: null,
  user_id: "maria",
  schedule_id: null,
  schedule_run_id: null,
  source_name: "Account desk",
  requirements: null,
  context: { tool_names: ["close_account"], source_name: "Account desk" },
  resolution_data: null,
  resolved_by: null,
  resolved_at: null,
  created_at: 1772615700,
  updated_at: null,
  run_status: "PAUSED",
};
const approved: Approval = {
  ...pending,
  status: "approved",
  resolved_by: "otto",
  resolved_at: 1772615760,
  updated_at: 1772615760,
};

export const approvalExamples: ExamplesOf<typeof approvalRoutes> = {
  listApprovals: { query: { status: "pending", agent_id: "account-desk" }, answer: pageWith(pending) },
  countApprovals: { query: { user_id: "maria" }, answer: { count: 1 } },
  getApproval: { answer: pending },
  getApprovalStatus: {
    answer: {
      approval_id: approved.id,
      status: "approved",
      run_id: approved.run_id,
      resolved_at: approved.resolved_at,
      resolved_by: approved.resolved_by,
    },
  },
  removeApproval: {},
};

export const resolveExamples: ExamplesOf<typeof resolveRoutes> = {
  resolveApproval: {
    body: { status: "approved", continue: true },
    answer: { ...approved, run: { status: "PENDING", job_id: approved.run_id, waits_for: 0 } },
  },
};
