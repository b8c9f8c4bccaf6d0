import type { LanguageModelV4ToolChoice } from "@ai-sdk/provider";
import type { Message } from "../../schemas/runs/run.ts";
import type { Agent } from "../define/agent.ts";

/**
 * What a model call must do about tools; undefined leaves it to the model.
 *
 * @decided  An agent's choice holds for the first call of a run only: a model that must call a tool every time would
 *           never answer.
 */
export function toolChoiceOf(
  { tool_choice }: Pick<Agent, "tool_choice">,
  messages: readonly Message[],
): LanguageModelV4ToolChoice | undefined {
  if (tool_choice === undefined || messages.some(isAnswer)) return undefined;
  return typeof tool_choice === "string"
    ? { type: tool_choice }
    : { type: "tool", toolName: tool_choice.tool };
}

/** The agent's additional messages have the role of the assistant too, but no metrics. */
const isAnswer = ({ role, from_history, metrics }: Message): boolean =>
  role === "assistant" && !from_history && metrics !== undefined;
