import * as v from "valibot";
import { Approval, ApprovalStatus, approvalTypes } from "../schemas/runs/approval.ts";
import { meaning } from "../schemas/values/described-as.ts";
import { maxChars } from "../schemas/values/max-chars.ts";
import { pageOf, pageQuery } from "../schemas/values/page.ts";
import { idOf } from "../schemas/values/path-ids.ts";
import { storableObject } from "../schemas/values/storable-object.ts";
import type { RouteTable } from "./route.ts";

const ApprovalParams = v.object({ approval_id: idOf("the approval") });
const filter = (description: string) => meaning(v.optional(v.string()), description);
const user_id = filter("Only of runs of this user; without effect for callers who see only their own");

/** @source contract, approvals A2 */
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
    summary: "List approvals, the newest first",
  },
  countApprovals: {
    method: "GET",
    path: "/approvals/count",
    scopes: ["approvals:read"],
    query: v.object({ user_id }),
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
  resolveApproval: {
    method: "POST",
    path: "/approvals/{approval_id}/resolve",
    scopes: ["approvals:write"],
    params: ApprovalParams,
    body: {
      json: v.object({
        status: meaning(v.picklist(["approved", "rejected"]), "The decision"),
        resolved_by: meaning(v.nullish(v.pipe(v.string(), maxChars(255))), "Who decided, for the record"),
        resolution_data: meaning(v.nullish(storableObject()), "Notes and values that go with the decision"),
      }),
    },
    response: Approval,
    refuses: [409],
    summary: "Approve or reject; the run goes on when somebody continues it",
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
