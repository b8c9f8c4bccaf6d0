import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider";
import type { Message } from "../../schemas/runs/run.ts";
import { parseArguments } from "../model/parse-arguments.ts";
import { originalContent } from "../model/provider-data.ts";
import type { Tool } from "../tool/tool.ts";
import { shownParameters } from "../tool/tool-parameters.ts";
import { mediaParts } from "./media-parts.ts";

type Model = { readonly id: string; readonly provider: string };

/**
 * A conversation in the form that model providers take.
 *
 * @param model  the model to be called: it gets its own reasoning back, and not that of other models
 */
export function buildPrompt(messages: readonly Message[], model: Model): LanguageModelV4Prompt {
  return messages.flatMap((message) => promptMessages(message, model));
}

/** Tools in the form that model providers take. */
export function promptTools(tools: readonly Tool[]): LanguageModelV4FunctionTool[] {
  return tools.map((tool) => ({
    type: "function",
    name: tool.name,
    description: tool.description,
    inputSchema: shownParameters(tool),
  }));
}

function promptMessages(message: Message, model: Model): LanguageModelV4Message[] {
  const text = message.content ?? "";
  switch (message.role) {
    case "system":
      return [{ role: "system", content: text }];
    case "user":
      return [{ role: "user", content: [{ type: "text", text }, ...mediaParts(message)] }];
    case "assistant":
      return assistantMessages(message, text, model);
    case "tool":
      return [{ role: "tool", content: [toolResult(message, text)] }];
  }
}

function assistantMessages(message: Message, text: string, model: Model): LanguageModelV4Message[] {
  const calls = (message.tool_calls ?? []).map((call) => ({
    type: "tool-call" as const,
    toolCallId: call.id,
    toolName: call.function.name,
    input: parseArguments(call.function.arguments) ?? {},
  }));
  const plain = [...(text === "" ? [] : [{ type: "text" as const, text }]), ...calls];
  const content = originalContent(message, text, calls, model) ?? plain;
  // Providers refuse a message without content; an answer may be empty all the same.
  return content.length === 0 ? [] : [{ role: "assistant", content }];
}

function toolResult(message: Message, text: string) {
  return {
    type: "tool-result" as const,
    toolCallId: message.tool_call_id ?? "",
    toolName: message.tool_name ?? "",
    output: resultOutput(message, text),
  };
}

function resultOutput(message: Message, text: string): LanguageModelV4ToolResultOutput {
  if (message.tool_call_error === true) return { type: "error-text", value: text };
  const files = mediaParts(message);
  if (files.length === 0) return { type: "text", value: text };
  return { type: "content", value: [{ type: "text", text }, ...files] };
}
