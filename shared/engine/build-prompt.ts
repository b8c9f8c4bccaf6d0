import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from "@ai-sdk/provider";
import type { Message } from "../schemas/run.ts";
import { mediaParts } from "./media-parts.ts";
import { parseArguments } from "./parse-arguments.ts";
import type { Tool } from "./tool.ts";
import { toolParameters } from "./tool-parameters.ts";

/** A conversation in the form that model providers take. */
export function buildPrompt(messages: readonly Message[]): LanguageModelV4Prompt {
  return messages.flatMap(promptMessages);
}

/** Tools in the form that model providers take. */
export function promptTools(tools: readonly Tool[]): LanguageModelV4FunctionTool[] {
  return tools.map((tool) => ({
    type: "function",
    name: tool.name,
    description: tool.description,
    inputSchema: toolParameters(tool),
  }));
}

function promptMessages(message: Message): LanguageModelV4Message[] {
  const text = message.content ?? "";
  switch (message.role) {
    case "system":
      return [{ role: "system", content: text }];
    case "user":
      return [{ role: "user", content: [{ type: "text", text }, ...mediaParts(message)] }];
    case "assistant":
      return assistantMessages(message, text);
    case "tool":
      return [{ role: "tool", content: [toolResult(message, text)] }];
  }
}

function assistantMessages(message: Message, text: string): LanguageModelV4Message[] {
  const calls = (message.tool_calls ?? []).map((call) => ({
    type: "tool-call" as const,
    toolCallId: call.id,
    toolName: call.function.name,
    input: parseArguments(call.function.arguments) ?? {},
  }));
  const content = [...(text === "" ? [] : [{ type: "text" as const, text }]), ...calls];
  // Providers refuse a message without content; an answer may be empty all the same.
  return content.length === 0 ? [] : [{ role: "assistant", content }];
}

function toolResult(message: Message, text: string) {
  return {
    type: "tool-result" as const,
    toolCallId: message.tool_call_id ?? "",
    toolName: message.tool_name ?? "",
    output: {
      type: message.tool_call_error === true ? ("error-text" as const) : ("text" as const),
      value: text,
    },
  };
}
