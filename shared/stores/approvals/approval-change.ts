import type { ApprovalStatus } from "../../schemas/runs/approval.ts";
import type { Change } from "../outbox/change-event.ts";
import type { StoredApproval } from "./approval-item.ts";

/** An approval as it is after a change. */
type Changed = Omit<StoredApproval, "status" | "resolved_by"> & {
  readonly status: ApprovalStatus;
  readonly resolved_by?: string | null | undefined;
};

/** What is published of an approval: that it waits for a person, or how it was resolved. @param now epoch seconds */
export function approvalChange(approval: Changed, now: number): Change {
  const { id, owner, run_id, session_id, status, source_type, agent_id, team_id, workflow_id } = approval;
  const { approval_type, pause_type, tool_name, expires_at, resolved_by = null } = approval;
  const component = agent_id ?? team_id ?? workflow_id;
  return {
    type: status === "pending" ? "approval.created" : "approval.resolved",
    id,
    owner,
    component: component === null ? undefined : { type: source_type, id: component },
    facts: {
      ...{ run_id, session_id, status, approval_type, pause_type, tool_name, expires_at },
      ...(status !== "pending" && { resolved_by }),
    },
    now,
  };
}
