import * as v from "valibot";
import { Requirement } from "./run.ts";

export const approvalStatuses = ["pending", "approved", "rejected", "expired", "cancelled"] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];
export const ApprovalStatus = v.picklist(approvalStatuses);

export const approvalTypes = ["required", "audit"] as const;
const pauseTypes = ["confirmation", "user_input", "external_execution"] as const;
export type PauseType = (typeof pauseTypes)[number];

const instant = v.number();
const text = v.nullable(v.string());

/**
 * The record of tool calls that need a person. Every field is always present.
 *
 * @source docs/interface/approvals.md 1.1
 */
export const Approval = v.object({
  id: v.string(),
  run_id: v.string(),
  session_id: v.string(),
  status: ApprovalStatus,
  source_type: v.picklist(["agent", "team", "workflow"]),
  approval_type: v.nullable(v.picklist(approvalTypes)),
  pause_type: v.nullable(v.picklist(pauseTypes)),
  /** Of the first call that needs it; `context.tool_names` has them all. */
  tool_name: text,
  tool_args: v.nullable(v.record(v.string(), v.unknown())),
  /** Ours: what runs instead where the approver has changed arguments, by the ids of calls; `tool_args` stays what was proposed. */
  edited_args: v.optional(v.nullable(v.record(v.string(), v.record(v.string(), v.unknown())))),
  expires_at: v.nullable(instant),
  agent_id: text,
  team_id: text,
  workflow_id: text,
  /** Who started the run, not who decides. */
  user_id: text,
  schedule_id: text,
  schedule_run_id: text,
  source_name: text,
  requirements: v.nullable(v.array(Requirement)),
  context: v.nullable(v.object({ tool_names: v.array(v.string()), source_name: text })),
  resolution_data: v.nullable(v.record(v.string(), v.unknown())),
  resolved_by: text,
  resolved_at: v.nullable(instant),
  created_at: instant,
  updated_at: v.nullable(instant),
  run_status: text,
});
export type Approval = v.InferOutput<typeof Approval>;

/** A filter for approvals; all given fields must match exactly. */
export type ApprovalFilter = Partial<
  Pick<
    Record<keyof Approval, string | undefined>,
    | "status"
    | "approval_type"
    | "source_type"
    | "pause_type"
    | "agent_id"
    | "team_id"
    | "workflow_id"
    | "user_id"
    | "schedule_id"
    | "run_id"
  >
>;
