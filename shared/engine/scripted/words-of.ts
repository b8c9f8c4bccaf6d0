import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { isCorrection } from "../correction-text.ts";

/** The text of a message; of a tool message, its results. */
export function wordsOf(message: LanguageModelV4Message | undefined): string {
  if (!message) return "";
  if (message.role === "system") return message.content;
  return message.content
    .map((part) => {
      if (part.type === "text") return part.text;
      if (part.type !== "tool-result") return "";
      const { output } = part;
      return output.type === "text" || output.type === "error-text" ? output.value : "";
    })
    .join("");
}

/** Where in a prompt the message stands whose directives count; -1 where there is none. */
export const latestQuestion = (prompt: LanguageModelV4Prompt): number =>
  prompt.findLastIndex((message) => message.role === "user" && !isCorrection(wordsOf(message)));
