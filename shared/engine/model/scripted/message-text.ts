import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider";
import { isCorrection } from "../correction-text.ts";

/** The text of a message; of a tool message, its results. */
export function messageText(message: LanguageModelV4Message | undefined): string {
  if (!message) return "";
  if (message.role === "system") return message.content;
  return message.content
    .map((part) => {
      if (part.type === "text") return part.text;
      if (part.type !== "tool-result") return "";
      const { output } = part;
      if (output.type === "content") return output.value.map(textIn).join("");
      return output.type === "text" || output.type === "error-text" ? output.value : "";
    })
    .join("");
}

type ResultPart = Extract<LanguageModelV4ToolResultOutput, { type: "content" }>["value"][number];

const textIn = (part: ResultPart): string => (part.type === "text" ? part.text : "");

/** The index in a prompt of the message whose directives count; -1 when there is none. */
export const latestQuestionIndex = (prompt: LanguageModelV4Prompt): number =>
  prompt.findLastIndex((message) => message.role === "user" && !isCorrection(messageText(message)));
