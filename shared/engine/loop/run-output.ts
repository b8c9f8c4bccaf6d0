import * as v from "valibot";
import type { Message, Requirement, RunOutput, ToolExecution } from "../../schemas/runs/run.ts";
import { parsedJson } from "../../schemas/values/json-values.ts";
import { Reference, type References } from "../../schemas/values/reference.ts";
import type { Member } from "../define/team.ts";
import { SEARCH_TOOL } from "../recall/search-tool.ts";
import type { Execution } from "../run/execution.ts";
import { type RoleUsage, runMetrics, totalMetrics } from "../run/metrics.ts";
import { isAnswer } from "../run/repetition.ts";
import { madeMedia } from "../run/run-media.ts";
import type { RunRequest } from "../run/run-request.ts";
import type { RunState } from "../run/run-state.ts";

type Ended = Pick<RunOutput, "status" | "content" | "content_type" | "error"> & {
  readonly requirements?: Requirement[];
  readonly followups?: string[];
};

/**
 * The run as it is stored and shown.
 *
 * @param roleUsages  usage of model calls beside the run's own
 */
export function runOutput(
  state: RunState,
  ended: Ended,
  execution: Execution,
  roleUsages: readonly RoleUsage[] = [],
): RunOutput {
  const { agent, request, ports, model, sessionState } = execution;
  const { run_id, session_id, user_id, metadata, created_at, input, media } = request;
  const additional_input = additionalInput(state, execution);
  const references = referencesOf(state.tools, agent);
  const compaction = agent.kind === "agent" ? state.view?.folds?.at(-1) : undefined;
  const finish_reason = state.messages.findLast(isAnswer)?.finish_reason;
  const output: RunOutput = {
    run_id,
    ...componentOf(agent),
    session_id,
    ...(user_id !== null && { user_id }),
    ...placeOf(request, agent),
    input: { input_content: input, ...media },
    content_type: "str",
    ...(state.reasoning_content !== "" && { reasoning_content: state.reasoning_content }),
    ...(finish_reason && { finish_reason }),
    model: model.id,
    model_provider: model.provider,
    messages: [...state.messages],
    metrics: runMetrics(state, model, ports.models, ports.clock.now(), roleUsages),
    ...(compaction && { compaction }),
    ...(additional_input.length > 0 && { additional_input }),
    tools: [...state.tools],
    ...madeMedia(state),
    ...(references.length > 0 && { references }),
    ...(metadata && { metadata }),
    session_state: { ...sessionState.current() },
    created_at,
    ...teamParts(state, agent),
    ...ended,
  };
  const total_metrics = agent.kind === "team" ? totalMetrics(output) : undefined;
  return total_metrics ? { ...output, total_metrics } : output;
}

const componentOf = ({ kind, id, name }: Member) =>
  kind === "team" ? { team_id: id, team_name: name } : { agent_id: id, agent_name: name };

/** The place of a nested run in its parent. Only an agent's run names the workflow. */
function placeOf(
  { parent_run_id, parent_tool_call_id, nested = { nested_depth: 0 } }: RunRequest,
  { kind }: Member,
) {
  const { workflow_id, step_id } = nested;
  return {
    ...(parent_run_id !== undefined && { parent_run_id }),
    ...(parent_tool_call_id !== undefined && { parent_tool_call_id }),
    ...(kind === "agent" && workflow_id !== undefined && { workflow_id }),
    ...(step_id !== undefined && { workflow_step_id: step_id }),
  };
}

function teamParts({ members = [], tasks }: RunState, { kind }: Member): Partial<RunOutput> {
  if (kind === "agent") return {};
  const member_responses = members.flatMap(({ output }) => output ?? []);
  return { member_responses, ...(tasks && { team_tasks: tasks }) };
}

/** They are the first messages that the run adds after the system message. */
const additionalInput = (state: RunState, { agent }: Execution): Message[] =>
  state.messages
    .filter(({ role, from_history }) => role !== "system" && !from_history)
    .slice(0, agent.additional_input.length);

const Found = v.array(Reference);

/** What a run found in its knowledge, from the searches among its tool calls. */
function referencesOf(
  tools: readonly ToolExecution[],
  { knowledge }: Pick<Member, "knowledge">,
): References[] {
  if (knowledge === undefined) return [];
  return tools.flatMap(({ tool_name, tool_args, tool_call_error, result, metrics }) => {
    if (tool_name !== SEARCH_TOOL || tool_call_error || result === null) return [];
    const found = v.safeParse(Found, parsedJson(result));
    if (!found.success) return [];
    return [{ query: String(tool_args.query), references: found.output, time: metrics?.duration ?? 0 }];
  });
}
