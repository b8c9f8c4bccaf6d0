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
  /** Whether the model was told that its answer has the wrong form; it is told once. */
  readonly corrected?: boolean;
  readonly reasoning_content: string;
  readonly usage: Usage;
  /** The session's state once this run has changed it; until then the one that the run was given counts. */
  readonly session_state?: Readonly<Record<string, unknown>>;
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
  if (pending.some(awaitsConfirmation)) return "pause";
  if (pending.length > 0) return "run_tools";
  return state.messages.at(-1)?.role === "assistant" ? "answer" : "call_model";
}

export const pendingTools = (state: RunState): ToolExecution[] =>
  state.tools.filter((call) => call.result === null);

/**
 * @decided  A batch in which any call waits for a person runs no call at all until it is answered: whoever decides
 *           sees the whole plan, and the batch stays one step.
 */
export const awaitsConfirmation = (call: ToolExecution): boolean =>
  call.requires_confirmation === true && call.confirmed === null && call.result === null;
