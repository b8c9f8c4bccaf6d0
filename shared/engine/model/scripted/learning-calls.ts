import type { LanguageModelV4CallOptions, LanguageModelV4ToolCall } from "@ai-sdk/provider";
import { parseScript } from "./parse-script.ts";
import { latestQuestion, wordsOf } from "./words-of.ts";

/**
 * What the scripted model has learned of a message: each `[[learn:KIND {json}]]` of it, in a call that offers it a tool
 * of that name.
 */
export function learningCalls({ prompt, tools = [] }: LanguageModelV4CallOptions): LanguageModelV4ToolCall[] {
  const { calls } = parseScript(wordsOf(prompt[latestQuestion(prompt)]));
  return calls.flat().flatMap((directive, i) => {
    if (directive.do !== "learn" || !tools.some(({ name }) => name === directive.name)) return [];
    const { name: toolName, input } = directive;
    return [{ type: "tool-call" as const, toolCallId: `call_${i + 1}`, toolName, input }];
  });
}
