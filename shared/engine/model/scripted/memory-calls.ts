import type { LanguageModelV4CallOptions, LanguageModelV4ToolCall } from "@ai-sdk/provider";
import { parseArguments } from "../parse-arguments.ts";
import { latestQuestionIndex, messageText } from "./message-text.ts";
import { parseScript } from "./parse-script.ts";

/**
 * The tool calls by which the scripted model saves memories: one for each `[[remember:…]]` of the message, if the tools
 * for that are offered. The body is the text, or the tool's arguments as JSON; with a `memory_id` it replaces that one.
 */
export function memoryCalls({ prompt, tools = [] }: LanguageModelV4CallOptions): LanguageModelV4ToolCall[] {
  if (!tools.some(({ name }) => name === "add_memory")) return [];
  const { calls } = parseScript(messageText(prompt[latestQuestionIndex(prompt)]));
  return calls.flat().flatMap((directive, i) => {
    if (directive.do !== "remember") return [];
    const args = parseArguments(directive.text) ?? { memory: directive.text };
    const toolName = "memory_id" in args ? "update_memory" : "add_memory";
    return [
      { type: "tool-call" as const, toolCallId: `call_${i + 1}`, toolName, input: JSON.stringify(args) },
    ];
  });
}
