import type {
  LanguageModelV4FilePart,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolChoice,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider";
import { sentType } from "../../domain/runs/file-treatment.ts";
import type { Media, MediaKind } from "../../schemas/runs/media.ts";
import type { Message } from "../../schemas/runs/run.ts";
import type { Agent } from "../define/agent.ts";
import { originalContent } from "../model/provider-data.ts";
import { parseArguments } from "../model/streamed-answer.ts";
import type { Execution } from "../run/execution.ts";
import { type Limited, reachedLimit } from "../run/next-step.ts";
import { isAnswer } from "../run/repetition.ts";
import type { RunRequest } from "../run/run-request.ts";
import { newMessage } from "../run/run-state.ts";
import { shownParameters } from "../tool/new-tool-call.ts";
import type { Tool } from "../tool/tool.ts";
import { contextBlock } from "./context-block.ts";
import type { Marks } from "./mark-prompt.ts";
import { type Inserted, systemText } from "./system-text.ts";

type Model = { readonly id: string; readonly provider: string };

/**
 * A conversation in the form that model providers take.
 *
 * @param model  the model to be called: it gets its own reasoning back, and not that of other models
 * @param marks  where its service is to cache the prompt
 */
export function buildPrompt(
  messages: readonly Message[],
  model: Model,
  marks?: Marks,
): LanguageModelV4Prompt {
  return messages.flatMap((message) => {
    const shown = promptMessages(message, model);
    return marks?.ids.has(message.id) ? shown.map((one) => marked(one, marks)) : shown;
  });
}

/** A message with a mark at its end. Packages read it at the last part, or at the message where that has no options. */
function marked(message: LanguageModelV4Message, { options }: Marks): LanguageModelV4Message {
  switch (message.role) {
    case "system":
    case "assistant":
      return { ...message, providerOptions: options };
    case "user":
      return { ...message, content: lastMarked(message.content, options) };
    case "tool":
      return { ...message, content: lastMarked(message.content, options) };
  }
}

const lastMarked = <Part extends object>(parts: readonly Part[], providerOptions: Marks["options"]): Part[] =>
  parts.map((part, at) => (at === parts.length - 1 ? { ...part, providerOptions } : part));

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
      return [{ role: "user", content: [...userParts(text, mediaParts(message)), ...contextParts(message)] }];
    case "assistant":
      return assistantMessages(message, text, model);
    case "tool":
      return [{ role: "tool", content: [toolResult(message, text)] }];
  }
}

/** Providers refuse a text that is empty; a question may be a picture alone. */
const userParts = (text: string, files: readonly LanguageModelV4FilePart[]) => [
  ...(text === "" && files.length > 0 ? [] : [{ type: "text" as const, text }]),
  ...files,
];

/** Most bytes of a context block that later runs show again. Without it a provider's cache ends at that message, once. */
const MAX_CONTEXT_BYTES = 4_096;

/** The context block of a run as it was sent; a long one is left out of the history. */
function contextParts({ context, from_history }: Message) {
  const isLeftOut = context === undefined || (from_history && Buffer.byteLength(context) > MAX_CONTEXT_BYTES);
  return isLeftOut ? [] : [{ type: "text" as const, text: context }];
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

/**
 * What a model call must do about tools; undefined leaves it to the model.
 *
 * @decided  An agent's choice holds for the first call of a run only: a model that must call a tool every time would
 *           never answer. The last call of a run allows none.
 */
export function toolChoiceOf(
  agent: Pick<Agent, "tool_choice"> & Limited,
  messages: readonly Message[],
): LanguageModelV4ToolChoice | undefined {
  if (reachedLimit(agent, messages)) return { type: "none" };
  const { tool_choice } = agent;
  if (tool_choice === undefined || messages.some(isAnswer)) return undefined;
  return typeof tool_choice === "string"
    ? { type: tool_choice }
    : { type: "tool", toolName: tool_choice.tool };
}

/** What a message carries beside its text, in the form that model providers take. Contents must have been loaded. */
export function mediaParts({ images, audio, videos, files }: Message): LanguageModelV4FilePart[] {
  return [
    ...partsOf("images", images),
    ...partsOf("audios", audio),
    ...partsOf("videos", videos),
    ...partsOf("files", files),
  ];
}

/** Of what is elsewhere and says nothing of its type, only the family is named. */
const families = {
  images: "image",
  audios: "audio",
  videos: "video",
  files: "application/octet-stream",
} as const satisfies Record<MediaKind, string>;

function partsOf(kind: MediaKind, media: readonly Media[] = []): LanguageModelV4FilePart[] {
  return media.flatMap((medium) => {
    const data = dataOf(medium);
    const { filename, format, mime_type, content } = medium;
    const isTyped = mime_type !== undefined || format !== undefined || content !== undefined;
    const mediaType = isTyped ? sentType(kind, medium) : families[kind];
    return data
      ? [{ type: "file" as const, mediaType, data, ...(filename !== undefined && { filename }) }]
      : [];
  });
}

function dataOf({ url, content, mime_type }: Media): LanguageModelV4FilePart["data"] | undefined {
  if (url !== undefined) return { type: "url", url: new URL(url) };
  if (content === undefined) return undefined;
  if (mime_type?.startsWith("text/")) return { type: "text", text: content };
  return { type: "data", data: content };
}

/** The messages of a run's first model call, and what placeholders of the system text stand for. */
export type FirstMessages = { readonly messages: Message[]; readonly inserted: readonly Inserted[] };

/**
 * The messages of a run's first model call: system text, the agent's additional messages, history, the run's input with its
 * context. What changes least comes first, so that runs of a session begin with the same bytes.
 */
export async function firstMessages(execution: Execution): Promise<FirstMessages> {
  const { agent, request, ports } = execution;
  const { text: system, inserted } = await systemText(execution);
  const context = await contextBlock(execution);
  const { given_history: given } = request;
  const earlier = request.history.filter(({ role }) => role !== "system");
  const own = agent.add_history_to_context ? lastOf(earlier, agent.num_history_messages) : [];
  const history = given?.messages ? given.messages.map((message) => newMessage(message, ports)) : own;
  const messages = [
    ...(system === "" ? [] : [newMessage({ role: "system", content: system }, ports)]),
    ...agent.additional_input.map((message) => newMessage(message, ports)),
    ...history.map((message) => ({ ...message, from_history: true })),
    newMessage(
      { role: "user", content: request.input, ...messageMedia(request), ...(context && { context }) },
      ports,
    ),
  ];
  return { messages, inserted };
}

/** Audio is called `audio` on a message and `audios` in an input. */
function messageMedia({ media = {} }: RunRequest): Partial<Message> {
  const { audios, ...others } = media;
  return { ...others, ...(audios && { audio: audios }) };
}

/**
 * The last messages of a conversation, beginning with one of the user: providers refuse an answer or a tool's result
 * whose question is missing.
 */
function lastOf(messages: readonly Message[], count: number | undefined): readonly Message[] {
  if (count === undefined || messages.length <= count) return messages;
  const last = messages.slice(messages.length - count);
  const start = last.findIndex(({ role }) => role === "user");
  return start < 0 ? [] : last.slice(start);
}
