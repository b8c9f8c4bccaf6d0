import type { PauseType } from "../../schemas/runs/approval.ts";
import type { Requirement, ToolExecution } from "../../schemas/runs/run.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { StoredApproval } from "../../stores/approvals/approval-item.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { RunOutcome } from "../run/run-outcome.ts";
import { callKey } from "./call-key.ts";
import { editDigest } from "./edit-call.ts";
import { type PlacedCall, placedCalls } from "./placed-calls.ts";

/**
 * The approval that a run pauses for; undefined when no call needs one.
 *
 * @param now             epoch seconds
 * @param expiresSeconds  how long it may stay pending; 0 for no limit
 * @source docs/interface/approvals.md 1.2
 */
export function approvalOfPause(
  run: StoredRun,
  { output, digests }: Extract<RunOutcome, { status: "PAUSED" }>,
  now: number,
  expiresSeconds: number,
): StoredApproval | undefined {
  const covered = placedCalls(output).filter(
    ({ call, key }) => call.approval_type === "required" && key in digests,
  );
  const id = covered[0]?.call.approval_id;
  if (id == null) return undefined;
  return {
    ...pendingApproval(run, output, covered, now),
    id,
    approval_type: "required",
    expires_at: expiresSeconds > 0 ? now + expiresSeconds : null,
    digests: Object.fromEntries(covered.map(({ key }) => [key, digests[key] ?? ""])),
  };
}

/**
 * The record of an answer to an audited call: resolved from the start.
 *
 * @param placed  the call as it was answered, with the id of this record
 */
export function approvalOfAnswer(
  run: StoredRun,
  placed: PlacedCall,
  { id, resolved_by, now }: { id: string; resolved_by: string | null; now: number },
): StoredApproval {
  return {
    ...pendingApproval(run, run.output, [placed], now),
    id,
    approval_type: "audit",
    status: placed.call.confirmed === false ? "rejected" : "approved",
    expires_at: null,
    resolved_by,
    resolved_at: now,
    ...auditedArgs(run.digests?.[placed.key], placed),
  };
}

/** Of a call that was edited, what was proposed stays and what runs instead is recorded beside it. */
function auditedArgs(digest: string | undefined, { key, call }: PlacedCall) {
  const { tool_args, proposed_args } = call;
  const isDigested = digest !== undefined;
  if (!proposed_args) return { digests: isDigested ? { [key]: digest } : {} };
  return {
    tool_args: orNull(proposed_args),
    edited_args: { [key]: tool_args },
    digests: isDigested ? { [key]: editDigest(digest, tool_args) } : {},
  };
}

type Undecided = Omit<StoredApproval, "id" | "approval_type" | "expires_at" | "digests">;

function pendingApproval(
  run: StoredRun,
  output: StoredOutput,
  placed: readonly PlacedCall[],
  now: number,
): Undecided {
  const covered = placed.map(({ call }) => call);
  const [first] = covered;
  const source_name = output.agent_name ?? output.team_name ?? output.workflow_name ?? null;
  return {
    run_id: run.run_id,
    session_id: run.session_id,
    owner: run.owner,
    status: "pending",
    source_type: run.component_type,
    pause_type: pauseType(covered),
    tool_name: first?.tool_name ?? null,
    tool_args: orNull(first?.tool_args),
    agent_id: run.component_type === "agent" ? run.component_id : null,
    team_id: run.component_type === "team" ? run.component_id : null,
    workflow_id: run.component_type === "workflow" ? run.component_id : null,
    user_id: output.user_id ?? null,
    schedule_id: null,
    schedule_run_id: null,
    source_name,
    requirements: orNull(requirementsFor(placed, requirementsIn(output))),
    context: { tool_names: covered.map(({ tool_name }) => tool_name), source_name },
    resolution_data: null,
    resolved_by: null,
    resolved_at: null,
    created_at: now,
    updated_at: null,
    run_status: "PAUSED",
  };
}

/** Bytes of JSON that a copy on the approval may have; larger values are on the run only. */
const MAX_COPY_BYTES = 100_000;

const orNull = <T>(value: T | undefined): T | null =>
  value === undefined || Buffer.byteLength(JSON.stringify(value)) > MAX_COPY_BYTES ? null : value;

/** The requirements of a run and of the runs of a workflow's steps; the latter name their run. */
const requirementsIn = ({ requirements = [], step_executor_runs = [] }: StoredOutput): Requirement[] => [
  ...requirements,
  ...step_executor_runs.flatMap(({ run_id, requirements: asked = [] }) =>
    asked.map((one) => ({ ...one, member_run_id: one.member_run_id ?? run_id })),
  ),
];

function requirementsFor(covered: readonly PlacedCall[], all: readonly Requirement[]): Requirement[] {
  const keys = new Set(covered.map(({ key }) => key));
  return all.filter(({ tool_execution, member_run_id }) =>
    keys.has(callKey(tool_execution.tool_call_id, member_run_id)),
  );
}

/** @source docs/interface/approvals.md 1.3 */
function pauseType(covered: readonly ToolExecution[]): PauseType {
  if (covered.some((call) => call.requires_user_input)) return "user_input";
  return covered.some((call) => call.external_execution_required) ? "external_execution" : "confirmation";
}
