import * as v from "valibot";
import { Approval, ApprovalStatus, approvalTypes } from "../schemas/runs/approval.ts";
import { ResolveApprovalBody, ResolvedApproval } from "../schemas/runs/resolve-approval.ts";
import { integerText } from "../schemas/values/fields.ts";
import { pageOf } from "../schemas/values/page.ts";
import type { RouteTable } from "./route.ts";

const ApprovalParams = v.object({ approval_id: v.string() });
const filter = v.optional(v.string());

/** @source contract, approvals A2 */
export const approvalRoutes = {
  listApprovals: {
    method: "GET",
    path: "/approvals",
    scopes: ["approvals:read"],
    query: v.object({
      status: v.optional(ApprovalStatus),
      approval_type: v.optional(v.picklist(approvalTypes)),
      source_type: filter,
      pause_type: filter,
      agent_id: filter,
      team_id: filter,
      workflow_id: filter,
      user_id: filter,
      schedule_id: filter,
      run_id: filter,
      limit: v.optional(integerText({ min: 1, max: 1000 }), "100"),
      page: v.optional(integerText({ min: 1 }), "1"),
    }),
    response: pageOf(Approval),
    summary: "List approvals, the newest first",
  },
  countApprovals: {
    method: "GET",
    path: "/approvals/count",
    scopes: ["approvals:read"],
    query: v.object({ user_id: filter }),
    response: v.object({ count: v.number() }),
    summary: "Count the approvals that are pending",
  },
  getApproval: {
    method: "GET",
    path: "/approvals/{approval_id}",
    scopes: ["approvals:read"],
    params: ApprovalParams,
    response: Approval,
    summary: "Show one approval",
  },
  getApprovalStatus: {
    method: "GET",
    path: "/approvals/{approval_id}/status",
    scopes: ["approvals:read"],
    params: ApprovalParams,
    response: v.object({
      approval_id: v.string(),
      status: ApprovalStatus,
      run_id: v.string(),
      resolved_at: v.nullable(v.number()),
      resolved_by: v.nullable(v.string()),
    }),
    summary: "Tell whether an approval was given",
  },
  removeApproval: {
    method: "DELETE",
    path: "/approvals/{approval_id}",
    scopes: ["approvals:delete"],
    params: ApprovalParams,
    status: 204,
    response: null,
    summary: "Delete one approval",
  },
} as const satisfies RouteTable;

/** Served with the runs, because it may continue one: the functions of the others need not know how. */
export const resolveRoutes = {
  resolveApproval: {
    method: "POST",
    path: "/approvals/{approval_id}/resolve",
    scopes: ["approvals:write"],
    tag: "approvals",
    params: ApprovalParams,
    body: { json: ResolveApprovalBody },
    response: ResolvedApproval,
    refuses: [400, 409, 422, 503],
    summary: "Approve or reject; with continue=true the run goes on by that",
    description:
      "Without continue somebody has to continue the run. With it the run is queued in the same write, in the name of the one who asked for it, and the answer's run says where to follow it; while other questions of the same pause are open, only the resolution is written, and waits_for counts them. The same request again is answered alike and changes nothing.",
  },
} as const satisfies RouteTable;
