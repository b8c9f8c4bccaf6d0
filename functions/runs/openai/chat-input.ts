import * as v from "valibot";
import { userInput } from "../../../shared/agui/input-of.ts";
import { InvalidInput } from "../../../shared/http/input/invalid-input.ts";
import { validationErrors } from "../../../shared/http/input/validation-errors.ts";
import { RefusedParameter } from "../../../shared/http/openai-refusal.ts";
import type { AguiPart } from "../../../shared/schemas/agui/run-agent-input.ts";
import {
  type ChatMessage,
  type ChatPart,
  ChatRequest,
} from "../../../shared/schemas/openai/chat-completion.ts";
import { ClientTool } from "../../../shared/schemas/runs/client-tool.ts";
import type { GivenHistory } from "../../../shared/schemas/runs/given-history.ts";
import { isObject, parsedJson } from "../../../shared/schemas/values/json-values.ts";
import { isStorable, unstorable } from "../../../shared/schemas/values/storable.ts";

/** @throws ServiceError BAD_REQUEST for what is not JSON, InvalidInput for what is no such request */
export function readChatRequest(text: string): ChatRequest {
  const value = parsedJson(text);
  if (value === undefined) throw new RefusedParameter("body", "the body is not JSON", "invalid_json");
  const parsed = v.safeParse(ChatRequest, value);
  if (!parsed.success)
    throw new InvalidInput(parsed.issues.flatMap((issue) => validationErrors("body", issue)));
  refuseUnserved(parsed.output);
  return parsed.output;
}

/** Members that would change the answer, and have no counterpart here. What does not change it is taken and has no effect. */
function refuseUnserved(request: ChatRequest): void {
  const { n, logprobs, modalities, audio, tool_choice, functions, response_format, tools } = request;
  if (typeof n === "number" && n > 1) throw unserved("n", "a run has one answer");
  if (logprobs === true) throw unserved("logprobs", "probabilities of tokens are not known here");
  if (isObject(audio) || (Array.isArray(modalities) && modalities.includes("audio")))
    throw unserved(isObject(audio) ? "audio" : "modalities", "answers are text");
  if (
    !(tool_choice === undefined || tool_choice === null || tool_choice === "auto" || tool_choice === "none")
  )
    throw unserved("tool_choice", "only auto and none: the component decides which tool it calls");
  if (Array.isArray(functions) && functions.length > 0) throw unserved("functions", "send tools instead");
  if (response_format && !["text", "json_object", "json_schema"].includes(response_format.type))
    throw unserved("response_format", "must be text, json_object or json_schema");
  const other = (tools ?? []).findIndex(({ type }) => type !== "function");
  if (other >= 0) throw unserved(`tools[${other}].type`, "only functions; a component has its own tools");
}

const unserved = (param: string, why: string): RefusedParameter =>
  new RefusedParameter(param, `${param}: ${why}`);

/** The client's functions, as tools of the run. */
export function clientToolsOf({ tools, tool_choice }: ChatRequest): ClientTool[] {
  if (tool_choice === "none") return [];
  return (tools ?? []).map(({ function: given }, at) => {
    const read = v.safeParse(ClientTool, given);
    if (!read.success)
      throw new RefusedParameter(
        `tools[${at}].function`,
        `tools[${at}].function: ${read.issues[0].message}`,
        "invalid_value",
      );
    return read.output;
  });
}

/** The schema that the answer must fit; any object for `json_object`. */
export function outputSchemaOf({ response_format: form }: ChatRequest): Record<string, unknown> | undefined {
  if (form?.type === "json_object") return { type: "object" };
  return form?.type === "json_schema" ? (form.json_schema?.schema ?? undefined) : undefined;
}

/** Results of calls behind the last message of the assistant; they may continue a run. */
export function newResults(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  return messages.slice(last + 1).filter(({ role }) => role === "tool");
}

/**
 * What a new run is asked, and what was said before it. What stands behind the last message of the user, results of calls that no
 * run waits for, is asked as it is.
 *
 * @throws RefusedParameter for messages that say nothing that could be asked
 */
export function chatInput({ messages }: ChatRequest) {
  const said = messages.filter(({ role }) => role !== "system" && role !== "developer");
  const asked = said.findLastIndex(({ role }) => role === "user");
  const question = said[asked];
  if (!question)
    throw new RefusedParameter("messages", "messages: none of them is the user's", "invalid_value");
  const { message, ...media } = userInput([{ id: "", role: "user", content: partsOf(question).map(partOf) }]);
  if (message === "" && Object.keys(media).length === 0)
    throw new RefusedParameter(
      "messages",
      "messages: the last message of the user is empty",
      "invalid_value",
    );
  // Results that no run waits for belong to what was said: the question is asked behind them.
  const before = said.filter((one) => one !== question);
  const instructions = messages
    .filter(({ role }) => role === "system" || role === "developer")
    .map(textOf)
    .filter((text) => text !== "")
    .join("\n\n");
  const given_history = {
    messages: historyOf(before),
    ...(instructions !== "" && { instructions }),
  };
  if (!isStorable(given_history))
    throw new RefusedParameter("messages", `messages: ${unstorable}`, "invalid_value");
  return { message, media, given_history };
}

/** The first text of the user: with it a conversation is known again that names no session. */
export const firstQuestion = ({ messages }: ChatRequest): string => {
  const first = messages.find(({ role }) => role === "user");
  return first ? textOf(first) : "";
};

type GivenMessages = NonNullable<GivenHistory["messages"]>;

/**
 * Messages as a model takes them: ids of calls are numbered, as services limit what an id may look like, and calls without a
 * result, or results without a call, are left out.
 */
function historyOf(messages: readonly ChatMessage[]): GivenMessages {
  const answered = new Set(
    messages.flatMap(({ role, tool_call_id }) => (role === "tool" ? (tool_call_id ?? []) : [])),
  );
  const named = new Map<string, { readonly id: string; readonly name: string }>();
  return messages.flatMap((message): GivenMessages => {
    const content = textOf(message);
    if (message.role === "tool") {
      const call = named.get(message.tool_call_id ?? "");
      return call ? [{ role: "tool" as const, content, tool_call_id: call.id, tool_name: call.name }] : [];
    }
    if (message.role !== "assistant") return [{ role: "user" as const, content }];
    const tool_calls = (message.tool_calls ?? [])
      .filter(({ id }) => answered.has(id))
      .map(({ id, function: { name, arguments: args } }) => {
        const call = { id: `given_${named.size + 1}`, name };
        named.set(id, call);
        return { id: call.id, type: "function" as const, function: { name, arguments: args } };
      });
    if (content === "" && tool_calls.length === 0) return [];
    return [{ role: "assistant" as const, content, ...(tool_calls.length > 0 && { tool_calls }) }];
  });
}

/** The text of a message; files in it are left out. */
export const textOf = (message: ChatMessage): string =>
  partsOf(message)
    .flatMap(({ text }) => (text === undefined ? [] : [text]))
    .join("\n");

function partsOf({ content }: ChatMessage): readonly ChatPart[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return content ?? [];
}

/** @throws RefusedParameter for a part that cannot be read: a run without it would answer something else */
function partOf({ type, text, image_url, input_audio, file }: ChatPart): AguiPart {
  if (type === "text" && text !== undefined) return { type: "text", text };
  if (type === "image_url" && image_url) return sourced("image", image_url.url);
  if (type === "input_audio" && input_audio) {
    const { data, format } = input_audio;
    return {
      type: "audio",
      source: { type: "data", value: data, mimeType: `audio/${format === "mp3" ? "mpeg" : format}` },
    };
  }
  if (type === "file" && file?.file_data !== undefined)
    return { ...sourced("document", file.file_data), filename: file.filename ?? null };
  throw unserved(
    "messages",
    `a part of type ${type} cannot be read; send text, image_url, input_audio, or a file with file_data`,
  );
}

const sourced = (type: "image" | "document", value: string): AguiPart => ({
  type,
  source: { type: value.startsWith("data:") ? "data" : "url", value },
});
