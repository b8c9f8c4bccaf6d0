import type { LanguageModelV4CallOptions, LanguageModelV4ToolCall } from "@ai-sdk/provider";
import { parseArguments } from "../parse-arguments.ts";
import { parseScript } from "./parse-script.ts";
import { latestQuestion, wordsOf } from "./words-of.ts";

/**
 * What the scripted model has remembered: each `[[remember:…]]` of the message it is shown, in a call that offers it the
 * tools for that. The body is the text, or the tool's arguments as JSON; with a `memory_id` it takes that one's place.
 */
export function memoryCalls({ prompt, tools = [] }: LanguageModelV4CallOptions): LanguageModelV4ToolCall[] {
  if (!tools.some(({ name }) => name === "add_memory")) return [];
  const { calls } = parseScript(wordsOf(prompt[latestQuestion(prompt)]));
  return calls.flat().flatMap((directive, i) => {
    if (directive.do !== "remember") return [];
    const given = parseArguments(directive.text) ?? { memory: directive.text };
    const toolName = "memory_id" in given ? "update_memory" : "add_memory";
    return [
      { type: "tool-call" as const, toolCallId: `call_${i + 1}`, toolName, input: JSON.stringify(given) },
    ];
  });
}
