import { epochSeconds } from "../runtime/clock.ts";
import type { Message, ToolExecution } from "../schemas/run.ts";
import type { ModelTurn, RequestedCall } from "./call-model.ts";
import type { Execution } from "./execution.ts";
import { addUsage, secondsBetween, tokenCounts } from "./metrics.ts";
import { newMessage } from "./new-message.ts";
import { parseArguments } from "./parse-arguments.ts";
import { planToolCall } from "./plan-tool-call.ts";
import type { RunState } from "./run-state.ts";

/** Adds what the model said and asked for to the run. */
export function recordTurn(state: RunState, turn: ModelTurn, execution: Execution): RunState {
  const calls = withOwnIds(turn.calls, state.tools);
  return {
    ...recordText(state, turn),
    messages: [...state.messages, assistantMessage({ ...turn, calls }, execution)],
    tools: [
      ...state.tools,
      ...calls.map((call, i) => requestedTool(call, state.tools.length + i, execution)),
    ],
  };
}

/** Adds what arrived of a turn that broke off. Its tool calls are dropped: the model may not have finished them. */
export function recordBrokenTurn(state: RunState, turn: ModelTurn, execution: Execution): RunState {
  const recorded = recordText(state, turn);
  if (turn.text === "") return recorded;
  return { ...recorded, messages: [...state.messages, assistantMessage({ ...turn, calls: [] }, execution)] };
}

function recordText(state: RunState, turn: ModelTurn): RunState {
  return {
    ...state,
    content: state.content + turn.text,
    reasoning_content: state.reasoning_content + turn.reasoning,
    usage: addUsage(state.usage, turn.usage),
    first_token_at_ms: state.first_token_at_ms ?? turn.first_token_at_ms,
  };
}

function assistantMessage(turn: ModelTurn, { ports }: Execution): Message {
  const { text, reasoning, calls } = turn;
  return newMessage(
    {
      role: "assistant",
      ...(text !== "" && { content: text }),
      ...(reasoning !== "" && { reasoning_content: reasoning }),
      ...(calls.length > 0 && { tool_calls: calls.map(wireCall) }),
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
 * Small model servers number their calls from zero in every answer. An id names a call within its run, so one that
 * is taken gets a suffix.
 */
function withOwnIds(calls: readonly RequestedCall[], earlier: readonly ToolExecution[]): RequestedCall[] {
  const taken = new Set(earlier.map((call) => call.tool_call_id));
  return calls.map((call, i) => {
    const id = taken.has(call.id) ? `${call.id}-${earlier.length + i}` : call.id;
    taken.add(id);
    return { ...call, id };
  });
}

/** @decided  Nobody is asked to confirm a call that could not run anyway; the model is told instead. */
function requestedTool(call: RequestedCall, position: number, { agent, ports }: Execution): ToolExecution {
  const plan = planToolCall(agent, call.name, call.arguments, position);
  const tool = agent.tools.find(({ name }) => name === call.name);
  const fields = tool?.user_input_fields;
  const isAsked = plan.runs || fields !== undefined;
  return {
    tool_call_id: call.id,
    tool_name: call.name,
    tool_args: parseArguments(call.arguments) ?? {},
    tool_call_error: null,
    result: null,
    metrics: null,
    child_run_id: null,
    stop_after_tool_call: false,
    created_at: epochSeconds(ports.clock),
    requires_confirmation: isAsked && tool?.requires_confirmation ? true : null,
    confirmed: null,
    confirmation_note: null,
    requires_user_input: fields ? true : null,
    answered: fields ? false : null,
    user_input_schema: fields?.map((name) => inputField(name)) ?? null,
    user_feedback_schema: null,
    external_execution_required: isAsked && tool?.external_execution ? true : null,
    external_execution_silent: null,
    approval_type: isAsked ? (tool?.approval_type ?? null) : null,
    approval_id: null,
  };
}

const inputField = (name: string) => ({ name, field_type: "str", description: null, value: null });
