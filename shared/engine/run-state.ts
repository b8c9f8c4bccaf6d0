import type { Message, ToolExecution } from "../schemas/run.ts";
import { noUsage, type Usage } from "./metrics.ts";

/**
 * All that a run is between two steps, as one plain JSON value: whoever holds it can take the next step.
 * Steps return a new state and never change the one they were given.
 */
export type RunState = {
  /** What the model is shown: system, history, user, then what this run added. */
  readonly messages: readonly Message[];
  /** The run's tool calls in the order the model made them; `result` is null until one has run. */
  readonly tools: readonly ToolExecution[];
  /** Text of the run so far: the deltas of its RunContent events, joined. */
  readonly content: string;
  readonly reasoning_content: string;
  readonly usage: Usage;
  readonly started_at_ms: number;
  readonly first_token_at_ms: number | null;
};

/** The state of a run that has not taken a step yet. @param nowMs epoch milliseconds */
export function newRunState(messages: readonly Message[], nowMs: number): RunState {
  return {
    messages,
    tools: [],
    content: "",
    reasoning_content: "",
    usage: noUsage,
    started_at_ms: nowMs,
    first_token_at_ms: null,
  };
}

export type NextStep = "call_model" | "run_tools" | "pause" | "answer";

/** What a run does next. Follows from the state alone, so that any process that holds it decides the same. */
export function nextStep(state: RunState): NextStep {
  const pending = pendingTools(state);
  if (pending.some(awaitsPerson)) return "pause";
  if (pending.length > 0) return "run_tools";
  return state.messages.at(-1)?.role === "assistant" ? "answer" : "call_model";
}

/** Calls that the model has not been told the result of. */
export function pendingTools({ messages, tools }: RunState): ToolExecution[] {
  const own = messages.filter(({ from_history }) => !from_history);
  const told = new Set(own.map(({ tool_call_id }) => tool_call_id));
  return tools.filter(({ tool_call_id }) => !told.has(tool_call_id));
}

/**
 * @decided  A batch in which any call waits for a person runs no call at all until it is answered: whoever decides
 *           sees the whole plan, and the batch stays one step.
 */
export const awaitsPerson = (call: ToolExecution): boolean => openQuestions(call).length > 0;

/** What a person is asked about a call. */
export type OpenQuestion = "confirmation" | "user_input" | "user_feedback" | "external_execution";

/** What nobody has answered yet; a refusal answers everything. */
export function openQuestions(call: ToolExecution): OpenQuestion[] {
  if (call.result !== null || call.confirmed === false) return [];
  const isUnanswered = call.answered !== true;
  return [
    ...(call.requires_confirmation && call.confirmed === null ? (["confirmation"] as const) : []),
    ...(call.user_feedback_schema && isUnanswered ? (["user_feedback"] as const) : []),
    ...(call.requires_user_input && !call.user_feedback_schema && isUnanswered
      ? (["user_input"] as const)
      : []),
    ...(call.external_execution_required ? (["external_execution"] as const) : []),
  ];
}
