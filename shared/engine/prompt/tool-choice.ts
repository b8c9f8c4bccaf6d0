import type { LanguageModelV4ToolChoice } from "@ai-sdk/provider";
import type { Message } from "../../schemas/runs/run.ts";
import type { Agent } from "../define/agent.ts";
import { isAnswer, type LoopLimit, reachedLimit } from "./last-call.ts";

/**
 * What a model call must do about tools; undefined leaves it to the model.
 *
 * @decided  An agent's choice holds for the first call of a run only: a model that must call a tool every time would
 *           never answer. The last call of a run allows none.
 */
export function toolChoiceOf(
  agent: Pick<Agent, "tool_choice" | LoopLimit>,
  messages: readonly Message[],
): LanguageModelV4ToolChoice | undefined {
  if (reachedLimit(agent, messages)) return { type: "none" };
  const { tool_choice } = agent;
  if (tool_choice === undefined || messages.some(isAnswer)) return undefined;
  return typeof tool_choice === "string"
    ? { type: tool_choice }
    : { type: "tool", toolName: tool_choice.tool };
}
