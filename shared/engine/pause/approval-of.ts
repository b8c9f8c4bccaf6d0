import type { PauseType } from "../../schemas/runs/approval.ts";
import type { ToolAnswer } from "../../schemas/runs/pause-answers.ts";
import type { Requirement, RunOutput, ToolExecution } from "../../schemas/runs/run.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { StoredApproval } from "../../stores/approvals/approval-item.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { RunOutcome } from "../run/run-outcome.ts";

import { editDigest } from "./edit-call.ts";
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
    status: statusAfter(placed.call),
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

/** What an approval becomes by an answer; whatever is no refusal is a yes. */
export const statusAfter = (answer: Pick<ToolAnswer, "confirmed"> | undefined): "approved" | "rejected" =>
  answer?.confirmed === false ? "rejected" : "approved";

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

/**
 * Identifies a call among all calls of a run and of the runs within it: models make the ids of calls, so two members
 * may use the same one.
 *
 * @param member_run_id  the run within the run that made the call; absent for one of the run's own
 */
export const callKey = (tool_call_id: string, member_run_id?: string | null): string =>
  member_run_id == null ? tool_call_id : `${member_run_id}/${tool_call_id}`;

/** The key that the nested run `run_id` uses: the id alone for its own calls, the same key for calls below it. */
export const keyWithin = (run_id: string, key: string): string =>
  key.startsWith(`${run_id}/`) ? key.slice(run_id.length + 1) : key;

/** The reverse: the key that the enclosing run uses for a call of the nested run `run_id`. */
export const keyAround = (run_id: string, key: string): string =>
  key.includes("/") ? key : callKey(key, run_id);

/** A call of a run, or of a run within it. */
export type PlacedCall = {
  readonly call: ToolExecution;
  /** See `callKey`. */
  readonly key: string;
  /** Ids of the members on the path to the run that made it; empty for the run's own calls. */
  readonly members: readonly string[];
  /** The run within the run that made it; absent for one of the run's own. */
  readonly member_run_id?: string;
};

/** A run with those within it: of a team's members, or of the agents and teams of a workflow's steps. */
type WithRuns = RunOutput & { readonly step_executor_runs?: readonly RunOutput[] | undefined };

/** The calls of a run, and of the paused runs within it. */
export function placedCalls(output: WithRuns, members: readonly string[] = []): PlacedCall[] {
  const { tools = [], member_responses = [], step_executor_runs = [], run_id } = output;
  const within = members.length === 0 ? {} : { member_run_id: run_id };
  const own = tools.map((call) => ({
    call,
    key: callKey(call.tool_call_id, within.member_run_id),
    members,
    ...within,
  }));
  const waiting = [...member_responses, ...step_executor_runs].filter(({ status }) => status === "PAUSED");
  return [...own, ...waiting.flatMap((one) => placedCalls(one, [...members, memberIdOf(one)]))];
}

/** The run with its calls replaced, by key; see `placedCalls`. */
export function withPlacedCalls(
  output: RunOutput,
  calls: ReadonlyMap<string, ToolExecution>,
  member_run_id?: string,
): RunOutput {
  const { tools, requirements, member_responses } = output;
  const placed = (tool_call_id: string) => calls.get(callKey(tool_call_id, member_run_id));
  return {
    ...output,
    ...(tools && { tools: tools.map((call) => placed(call.tool_call_id) ?? call) }),
    ...(requirements && {
      requirements: requirements.map((one) => {
        const { tool_execution, member_run_id: of = member_run_id } = one;
        return answeredRequirement(one, calls.get(callKey(tool_execution.tool_call_id, of)));
      }),
    }),
    ...(member_responses && {
      member_responses: member_responses.map((one) =>
        one.status === "PAUSED" ? withPlacedCalls(one, calls, one.run_id) : one,
      ),
    }),
  };
}

const memberIdOf = ({ agent_id, team_id }: RunOutput): string => team_id ?? agent_id ?? "";

/** A requirement with the answers that were entered in its call. */
function answeredRequirement(one: Requirement, call: ToolExecution | undefined): Requirement {
  if (!call) return one;
  return {
    ...one,
    tool_execution: call,
    ...(call.confirmed !== null && { confirmation: call.confirmed }),
    ...(call.confirmation_note !== null && { confirmation_note: call.confirmation_note }),
    ...(call.external_execution_required &&
      call.result !== null && { external_execution_result: call.result }),
    ...(call.user_input_schema && { user_input_schema: call.user_input_schema }),
    ...(call.user_feedback_schema && { user_feedback_schema: call.user_feedback_schema }),
  };
}
