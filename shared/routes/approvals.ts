import * as v from "valibot";
import { Approval, ApprovalStatus, approvalTypes } from "../schemas/runs/approval.ts";
import { ResolveApprovalBody, ResolvedApproval } from "../schemas/runs/resolve-approval.ts";
import { meaning } from "../schemas/values/described-as.ts";
import { pageOf, pageQuery } from "../schemas/values/page.ts";
import { idOf } from "../schemas/values/path-ids.ts";
import type { RouteTable } from "./route.ts";

const ApprovalParams = v.object({ approval_id: idOf("the approval") });
const filter = (description: string) => meaning(v.optional(v.string()), description);
const user_id = filter("Only of runs of this user; without effect for callers who see only their own");

export const approvalRoutes = {
  listApprovals: {
    method: "GET",
    path: "/approvals",
    scopes: ["approvals:read"],
    query: v.object({
      status: meaning(v.optional(ApprovalStatus), "Only those that stand like this"),
      approval_type: meaning(v.optional(v.picklist(approvalTypes)), "Only those of this type"),
      source_type: filter("Only of components of this kind: agent, team or workflow"),
      pause_type: filter("Only of runs that pause for this"),
      agent_id: filter("Only of this agent"),
      team_id: filter("Only of this team"),
      workflow_id: filter("Only of this workflow"),
      user_id,
      schedule_id: filter("Only of runs of this schedule"),
      run_id: filter("Only of this run"),
      ...pageQuery(1000, { limit: "100" }),
    }),
    response: pageOf(Approval),
    example: { query: { status: "pending", agent_id: "account-desk" } },
    summary: "List approvals, the newest first",
  },
  countApprovals: {
    method: "GET",
    path: "/approvals/count",
    scopes: ["approvals:read"],
    query: v.object({ user_id }),
    response: v.object({ count: v.number() }),
    example: { query: { user_id: "maria" } },
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
    summary: "Read whether an approval was given",
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
    example: { body: { status: "approved", continue: true } },
    summary: "Approve or reject; with continue=true the run goes on by that",
    description:
      "Without continue, the run has to be continued separately. With it the run is queued in the same write, in the name of the one who asked for it, and the answer's run says where to follow it; while other questions of the same pause are open, only the resolution is written, and waits_for counts them. The same request again is answered alike and changes nothing.",
  },
} as const satisfies RouteTable;
