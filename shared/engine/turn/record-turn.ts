import * as v from "valibot";
import type { Message, ToolExecution } from "../../schemas/runs/run.ts";
import { issueText } from "../../schemas/values/issue-text.ts";
import { guardsOutput } from "../guard/output-guards.ts";
import { parseArguments, type RequestedCall } from "../model/streamed-answer.ts";
import { addUsage } from "../model/usage.ts";
import type { Execution } from "../run/execution.ts";
import { secondsBetween, tokenCounts } from "../run/metrics.ts";
import { newMessage, type RunState } from "../run/run-state.ts";
import { newToolCall, questionsOfCall, userInputFields } from "../tool/new-tool-call.ts";
import type { Tool } from "../tool/tool.ts";
import type { ModelTurn } from "./call-model.ts";

/** Adds the model's answer and its tool calls to the run. */
export function recordTurn(state: RunState, turn: ModelTurn, execution: Execution): RunState {
  const calls = withOwnIds(turn.calls, state.tools);
  return {
    ...recordText(state, turn, execution),
    messages: [...state.messages, assistantMessage({ ...turn, calls }, execution)],
    tools: [
      ...state.tools,
      ...calls.map((call, i) => requestedTool(call, state.tools.length + i, execution)),
    ],
  };
}

/** Adds the part of a turn that arrived before it broke off, without its tool calls: they may be incomplete. */
export function recordBrokenTurn(state: RunState, turn: ModelTurn, execution: Execution): RunState {
  const recorded = recordText(state, turn, execution);
  if (turn.text === "") return recorded;
  return { ...recorded, messages: [...state.messages, assistantMessage({ ...turn, calls: [] }, execution)] };
}

/** Where guards look at the text, all of it has passed: a turn has lost before what they refused. */
function recordText(state: RunState, turn: ModelTurn, execution: Execution): RunState {
  const released = guardsOutput(execution) ? (state.content + turn.text).length : undefined;
  return {
    ...state,
    content: state.content + turn.text,
    ...(released !== undefined && { released }),
    reasoning_content: state.reasoning_content + turn.reasoning,
    usage: addUsage(state.usage, turn.usage),
    first_token_at_ms: state.first_token_at_ms ?? turn.first_token_at_ms,
  };
}

function assistantMessage(turn: ModelTurn, { ports }: Execution): Message {
  const { text, reasoning, calls, provider_data, media, finish_reason } = turn;
  return newMessage(
    {
      role: "assistant",
      ...(text !== "" && { content: text }),
      ...(reasoning !== "" && { reasoning_content: reasoning }),
      ...(calls.length > 0 && { tool_calls: calls.map(wireCall) }),
      ...(calls.length > 0 && provider_data && { provider_data }),
      ...media,
      ...(finish_reason && { finish_reason }),
      metrics: turnMetrics(turn),
    },
    ports,
  );
}

const wireCall = ({ id, name, arguments: text }: RequestedCall) => ({
  id,
  type: "function" as const,
  function: { name, arguments: text },
});

function turnMetrics({ usage, started_at_ms, first_token_at_ms, ended_at_ms }: ModelTurn) {
  return {
    ...tokenCounts(usage),
    ...(first_token_at_ms !== null && {
      time_to_first_token: secondsBetween(started_at_ms, first_token_at_ms),
    }),
    duration: secondsBetween(started_at_ms, ended_at_ms),
  };
}

/**
 * Small model servers number their calls from zero in every answer. An id must be unique within its run, so one that
 * is already used gets a suffix.
 */
function withOwnIds(calls: readonly RequestedCall[], earlier: readonly ToolExecution[]): RequestedCall[] {
  const usedIds = new Set(earlier.map((call) => call.tool_call_id));
  return calls.map((call, i) => {
    const id = usedIds.has(call.id) ? `${call.id}-${earlier.length + i}` : call.id;
    usedIds.add(id);
    return { ...call, id };
  });
}

/** @decided  No person is asked about a call that cannot run anyway; the model gets the reason as its result. */
function requestedTool(call: RequestedCall, position: number, execution: Execution): ToolExecution {
  const args = parseArguments(call.arguments);
  const tool = execution.tools.find(({ name }) => name === call.name);
  const plan = planToolCall(execution, call.name, args, position, tool ? userInputFields(tool) : []);
  return newToolCall(
    {
      tool_call_id: call.id,
      tool_name: call.name,
      tool_args: args ?? {},
      stop_after_tool_call: tool?.stop_after_tool_call === true,
      ...(plan.runs && questionsOfCall(plan.tool, plan.args)),
    },
    execution.ports,
  );
}

export type ToolCallPlan =
  | { readonly runs: true; readonly tool: Tool; readonly args: Record<string, unknown> }
  /** The model gets `reason` as the result, so that it can correct the call. */
  | { readonly runs: false; readonly reason: string };

/**
 * Decides whether a tool call can run.
 *
 * @param args      undefined when the model did not write a JSON object
 * @param position  how many calls the run made before this one
 * @param later     names of arguments that a person fills in later: their validation errors do not count
 */
export function planToolCall(
  { agent, tools }: Pick<Execution, "agent" | "tools">,
  name: string,
  args: Record<string, unknown> | undefined,
  position: number,
  later: readonly string[] = [],
): ToolCallPlan {
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool) return refused(`There is no tool named ${name}.`);
  if (agent.tool_call_limit !== undefined && position >= agent.tool_call_limit) {
    return refused(`The limit of ${agent.tool_call_limit} tool calls is reached. Answer without this call.`);
  }
  if (!args) return refused(`The arguments of ${name} are not a JSON object that can be kept.`);
  const parsed = v.safeParse(tool.parameters, args);
  if (parsed.success) return { runs: true, tool, args: parsed.output };
  const errors = parsed.issues.filter(({ path }) => !later.includes(String(path?.[0]?.key)));
  if (errors.length === 0) return { runs: true, tool, args };
  const texts = errors.map((issue) => issueText(issue, "arguments"));
  return refused(`The arguments of ${name} are not valid: ${texts.join("; ")}`);
}

const refused = (reason: string): ToolCallPlan => ({ runs: false, reason });
