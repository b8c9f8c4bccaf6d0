import * as v from "valibot";
import { Approval, ApprovalStatus, approvalTypes } from "../schemas/runs/approval.ts";
import { integerText } from "../schemas/values/fields.ts";
import { maxChars } from "../schemas/values/max-chars.ts";
import { pageOf } from "../schemas/values/page.ts";
import { storableObject } from "../schemas/values/storable-object.ts";
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
  resolveApproval: {
    method: "POST",
    path: "/approvals/{approval_id}/resolve",
    scopes: ["approvals:write"],
    params: ApprovalParams,
    body: {
      json: v.object({
        status: v.picklist(["approved", "rejected"]),
        resolved_by: v.nullish(v.pipe(v.string(), maxChars(255))),
        resolution_data: v.nullish(storableObject()),
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
