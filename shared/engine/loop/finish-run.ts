import * as v from "valibot";
import { outputMedia } from "../../domain/runs/output-media.ts";
import type { Message, Requirement, RunOutput, ToolExecution } from "../../schemas/runs/run.ts";
import type { AgentEventBody } from "../../schemas/runs/run-event.ts";
import { parsedJson } from "../../schemas/values/json-values.ts";
import { Reference, type References } from "../../schemas/values/reference.ts";
import { isRemote } from "../define/remote-agent.ts";
import type { Member } from "../define/team.ts";
import type { RunFault } from "../model/model-fault.ts";
import { pauseHint, requirementsOf, stampApproval } from "../pause/requirements-of.ts";
import { digestsOf } from "../pause/tool-digest.ts";
import { SEARCH_TOOL } from "../recall/search-tool.ts";
import type { Execution } from "../run/execution.ts";
import { type RoleUsage, runMetrics, totalMetrics } from "../run/metrics.ts";
import { type Ending, type RunStopped, stoppedBy } from "../run/next-step.ts";
import { isAnswer } from "../run/repetition.ts";
import { madeMedia } from "../run/run-media.ts";
import type { RunOutcome } from "../run/run-outcome.ts";
import type { RunRequest } from "../run/run-request.ts";
import type { RunState } from "../run/run-state.ts";
import { endMembers } from "../team/lead-call.ts";
import { type AfterAnswer, afterAnswer } from "../turn/after-answer.ts";
import { budgetHint } from "../turn/budget-call.ts";
import { abandonCalls } from "../turn/call-elsewhere.ts";
import { runPostHooks, withheldState } from "../turn/output-guards.ts";

/**
 * Emits the last events of an execution and returns its outcome.
 *
 * @throws RunStopped when the run was lost: nothing more may be written then
 * @source docs/interface/runs.md 5.9
 */
export async function finishRun(ending: Ending, state: RunState, execution: Execution): Promise<RunOutcome> {
  switch (ending.kind) {
    case "answered":
      return complete(ending, state, execution);
    case "paused":
      return pause(state, execution);
    case "failed":
      return fail(ending.fault, state, execution);
    case "stopped":
      return stop(ending.reason, state, execution);
  }
}

/**
 *   RunContentCompleted ─▶ hooks on the answer ─▶ memories ─▶ learnings ─▶ session summary ─▶ follow-ups ─▶ RunCompleted
 */
async function complete(answered: Answered, state: RunState, execution: Execution): Promise<RunOutcome> {
  const { emit, ports } = execution;
  emit({ event: "RunContentCompleted" });
  try {
    const withheld = await runPostHooks(state, execution);
    if (withheld) return fail(withheld.fault, withheldState(state, withheld), execution);
    return completed(answered, state, await afterAnswer(state, execution), execution);
  } catch (thrown) {
    if (!ports.signal.aborted) throw thrown;
    return finishRun(stoppedBy(ports.signal), state, execution);
  }
}

type Answered = Extract<Ending, { kind: "answered" }>;

function completed(
  { structured }: Answered,
  state: RunState,
  after: AfterAnswer,
  execution: Execution,
): RunOutcome {
  const { followups, session_summary, usages } = after;
  const answer = structured
    ? { content: structured.value, content_type: structured.type }
    : { content: state.content };
  const output = runOutput(
    state,
    { status: "COMPLETED", ...answer, ...(followups && { followups }) },
    execution,
    usages,
  );
  execution.emit(runCompleted(output, answer.content));
  return { status: "COMPLETED", output, ...(session_summary && { session_summary }) };
}

function pause(state: RunState, execution: Execution): RunOutcome {
  const { agent, ports } = execution;
  const stamped = stampApproval(state, ports.approvalId ?? ports.newId);
  const requirements = requirementsOf(stamped, agent, ports);
  const content = budgetHint(stamped) ?? pauseHint(requirements.map(({ tool_execution }) => tool_execution));
  const hint = content === undefined ? {} : { content };
  const output = runOutput(stamped, { status: "PAUSED", ...hint, requirements }, execution);
  execution.emit({ event: "RunContentCompleted" });
  execution.emit({ event: "RunPaused", ...hint, tools: [...stamped.tools], requirements });
  return { status: "PAUSED", output, digests: digestsOf(stamped, agent) };
}

async function stop(reason: RunStopped, before: RunState, execution: Execution): Promise<RunOutcome> {
  if (reason.kind === "lost") throw reason;
  if (before.remote && isRemote(execution.agent)) {
    const { cancelRemote } = await import("../remote/call-remote.ts");
    await cancelRemote(before, execution.agent, execution);
  }
  await abandonCalls(before, execution);
  const state = await endMembers(before, execution);
  switch (reason.kind) {
    case "cancelled":
      return cancel(reason, state, execution);
    case "timeout":
      return fail({ cause: "timeout", text: reason.message, thrown: reason }, state, execution);
  }
}

function cancel(reason: RunStopped, state: RunState, execution: Execution): RunOutcome {
  const content = state.content === "" ? reason.message : state.content;
  const output = runOutput(state, { status: "CANCELLED", content }, execution);
  execution.emit({ event: "RunCancelled", content, reason: reason.message });
  execution.emit(runCompleted(output, content));
  return { status: "CANCELLED", output };
}

function fail(fault: RunFault, state: RunState, execution: Execution): RunOutcome {
  const { cause, text, thrown, error_type = cause, error_id } = fault;
  // What a client has been sent of an answer that broke off stays the content.
  const ended = state.broken === undefined ? { content: text } : { content: state.content, error: text };
  const output = runOutput(state, { status: "ERROR", ...ended }, execution);
  execution.emit({
    event: "RunError",
    content: text,
    error_type,
    ...(error_id !== undefined && { error_id }),
  });
  return {
    ...{ status: "ERROR", output, error: text, cause, thrown, error_type },
    ...(fault.again && { mayPass: true }),
    ...(fault.closed && { closed: fault.closed }),
  };
}

function runCompleted(output: RunOutput, content: unknown): AgentEventBody {
  const {
    content_type = "str",
    reasoning_content,
    finish_reason,
    references,
    additional_input,
    metadata,
    metrics,
    session_state,
    member_responses,
  } = output;
  return {
    event: "RunCompleted",
    content,
    content_type,
    ...outputMedia(output),
    ...(reasoning_content !== undefined && { reasoning_content }),
    ...(finish_reason && { finish_reason }),
    ...(references && { references }),
    ...(additional_input && { additional_input }),
    ...(metadata && { metadata }),
    ...(metrics && { metrics }),
    ...(session_state && { session_state }),
    ...(member_responses && { member_responses }),
  };
}

type Ended = Pick<RunOutput, "status" | "content" | "content_type" | "error"> & {
  readonly requirements?: Requirement[];
  readonly followups?: string[];
};

/**
 * The run as it is stored and shown.
 *
 * @param roleUsages  usage of model calls beside the run's own
 */
function runOutput(
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
