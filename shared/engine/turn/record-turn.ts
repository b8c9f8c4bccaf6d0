import * as v from "valibot";
import type { Message, RunMetrics, ToolExecution } from "../../schemas/runs/run.ts";
import { issueText } from "../../schemas/values/issue-text.ts";
import type { ModelView } from "../model/models.ts";
import { parseArguments, type RequestedCall } from "../model/streamed-answer.ts";
import { addUsage } from "../model/usage.ts";
import type { Execution } from "../run/execution.ts";
import { priced, secondsBetween, wholeSum } from "../run/metrics.ts";
import { endOfPrompt } from "../run/next-step.ts";
import { newMessage, type RunState } from "../run/run-state.ts";
import { newToolCall, questionsOfCall, userInputFields } from "../tool/new-tool-call.ts";
import { countedCalls, countsFor } from "../tool/offload-settings.ts";
import { nearestTools, repairedCall } from "../tool/repair-call.ts";
import type { Tool } from "../tool/tool.ts";
import type { ModelTurn } from "./call-model.ts";
import { guardsOutput } from "./output-guards.ts";

/** Adds the model's answer and its tool calls, repaired, to the run. What it says to an answer that broke off belongs to that one. */
export function recordTurn(before: RunState, turn: ModelTurn, execution: Execution): RunState {
  const { broken: _, ...state } = before;
  const calls = withOwnIds(turn.calls, state.tools).map((call) => repairedCall(call, execution.tools));
  const tools = [...state.tools];
  for (const call of calls) tools.push(requestedTool(call, countedCalls(execution.agent, tools), execution));
  return {
    ...recordText(state, turn, execution),
    messages: withAnswer(before, assistantMessage({ ...turn, calls }, execution)),
    tools,
  };
}

/** Adds the part of a turn that arrived before it broke off, without its tool calls: they may be incomplete. */
export function recordBrokenTurn(state: RunState, turn: ModelTurn, execution: Execution): RunState {
  const recorded = recordText(state, turn, execution);
  if (turn.text === "") return recorded;
  const messages = withAnswer(state, assistantMessage({ ...turn, calls: [] }, execution));
  return { ...recorded, messages, broken: (state.broken ?? 0) + 1 };
}

/** The messages with an answer of the model, or with the next part of one. */
function withAnswer({ messages, broken }: RunState, next: Message): readonly Message[] {
  const begun = broken === undefined ? undefined : messages.at(-1);
  if (!begun) return [...messages, next];
  const { provider_data: _, ...rest } = next; // it counts the characters of this part alone
  const content = (begun.content ?? "") + (next.content ?? "");
  const metrics = wholeSum([begun.metrics, next.metrics]);
  const { duration: first = 0, time_to_first_token } = begun.metrics ?? {};
  return [
    ...messages.slice(0, -1),
    {
      ...rest,
      id: begun.id,
      content,
      metrics: {
        ...metrics,
        ...(time_to_first_token !== undefined && { time_to_first_token }),
        duration: first + (next.metrics?.duration ?? 0),
      },
    },
  ];
}

/** Where guards look at the text, all of it has passed: a turn has lost before what they refused. */
function recordText(state: RunState, turn: ModelTurn, execution: Execution): RunState {
  const released = guardsOutput(execution) ? (state.content + turn.text).length : undefined;
  const end = endOfPrompt(state.messages);
  return {
    ...state,
    calls: state.calls + 1,
    ...(end && { cache_to: end.id }),
    ...promptRecord(state, turn),
    content: state.content + turn.text,
    ...(released !== undefined && { released }),
    reasoning_content: state.reasoning_content + turn.reasoning,
    usage: addUsage(state.usage, turn.usage),
    first_token_at_ms: state.first_token_at_ms ?? turn.first_token_at_ms,
  };
}

function promptRecord({ calls, cache_breaks = [] }: RunState, { prompt }: ModelTurn): Partial<RunState> {
  if (!prompt) return {};
  const { digests, broken: part } = prompt;
  return { prompt: digests, ...(part && { cache_breaks: [...cache_breaks, { call: calls, part }] }) };
}

function assistantMessage(turn: ModelTurn, { model, ports }: Execution): Message {
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
      metrics: turnMetrics(turn, model),
    },
    ports,
  );
}

const wireCall = ({ id, name, arguments: text }: RequestedCall) => ({
  id,
  type: "function" as const,
  function: { name, arguments: text },
});

function turnMetrics(
  { usage, started_at_ms, first_token_at_ms, ended_at_ms }: ModelTurn,
  model: ModelView,
): RunMetrics {
  return {
    ...priced(usage, model),
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
 * @param position  how many calls that count for its limit the run made before this one
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
  if (!tool) return refused(unknownTool(name, tools));
  if (agent.tool_call_limit !== undefined && countsFor(agent, name) && position >= agent.tool_call_limit) {
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

function unknownTool(name: string, tools: readonly Tool[]): string {
  const nearest = nearestTools(name, tools);
  const hint = nearest.length > 0 ? ` Its nearest names are: ${nearest.join(", ")}.` : "";
  return `There is no tool named ${name}.${hint}`;
}

const refused = (reason: string): ToolCallPlan => ({ runs: false, reason });
