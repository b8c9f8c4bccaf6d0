import type { LanguageModelV4CallOptions, LanguageModelV4ToolCall } from "@ai-sdk/provider";
import { latestQuestionIndex, messageText } from "./message-text.ts";
import { parseScript } from "./parse-script.ts";

/**
 * The tool calls by which the scripted model records what it learned: one for each `[[learn:KIND {json}]]` of the
 * message, if a tool of that name is offered.
 */
export function learningCalls({ prompt, tools = [] }: LanguageModelV4CallOptions): LanguageModelV4ToolCall[] {
  const { calls } = parseScript(messageText(prompt[latestQuestionIndex(prompt)]));
  return calls.flat().flatMap((directive, i) => {
    if (directive.do !== "learn" || !tools.some(({ name }) => name === directive.name)) return [];
    const { name: toolName, input } = directive;
    return [{ type: "tool-call" as const, toolCallId: `call_${i + 1}`, toolName, input }];
  });
}
