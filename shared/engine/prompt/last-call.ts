import type { Message } from "../../schemas/runs/run.ts";
import type { Agent } from "../define/agent.ts";

/** The limit by which a run ends: of its tool calls, or of its model calls. */
export type LoopLimit = "tool_call_limit" | "max_steps";

type Limited = Pick<Agent, LoopLimit>;

/**
 * The limit that a run has reached, so that its next model call is its last: the model may call no tool in it, and has to
 * answer with what it has. Undefined while the run may go on.
 *
 * @param messages  those of the run; each answer among them was one model call
 */
export function reachedLimit(
  { tool_call_limit = Number.POSITIVE_INFINITY, max_steps }: Limited,
  messages: readonly Message[],
): LoopLimit | undefined {
  const answers = messages.filter(isAnswer);
  const toolCalls = answers.reduce((sum, { tool_calls = [] }) => sum + tool_calls.length, 0);
  if (toolCalls >= tool_call_limit) return "tool_call_limit";
  return answers.length + 1 >= max_steps ? "max_steps" : undefined;
}

/** Whether a run has made all its model calls. */
export const hasNoCallLeft = ({ max_steps }: Limited, messages: readonly Message[]): boolean =>
  messages.filter(isAnswer).length >= max_steps;

/** Whether the model of this run wrote a message. An agent's additional messages have its role too, but no metrics. */
export const isAnswer = ({ role, from_history, metrics }: Message): boolean =>
  role === "assistant" && !from_history && metrics !== undefined;

/** For a model that cannot be kept from calling tools while it is shown their results. */
export const ANSWER_NOW = "The limit of this run is reached. Answer now, and call no tool.";

/** Whether the model is to go on with an answer that broke off; where it was whole already, nothing is left to say. */
export const goesOn = (messages: readonly Message[]): boolean => messages.at(-1)?.role === "assistant";
