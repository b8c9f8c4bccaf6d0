import * as v from "valibot";
import { InvalidInput } from "../../../shared/http/input/invalid-input.ts";
import { validationErrors } from "../../../shared/http/input/validation-errors.ts";
import { RefusedParameter } from "../../../shared/http/openai-refusal.ts";
import { decisionOf } from "../../../shared/pauses/ask-call.ts";
import type { ChatMessage, ChatPart, ChatRequest } from "../../../shared/schemas/openai/chat-completion.ts";
import {
  type ResponseInput,
  type ResponsePart,
  ResponseRequest,
} from "../../../shared/schemas/openai/response.ts";
import { parsedJson } from "../../../shared/schemas/values/json-values.ts";

/** @throws RefusedParameter for what is not JSON, or not served; InvalidInput for what is no such request */
export function readResponseRequest(text: string): ResponseRequest {
  const value = parsedJson(text);
  if (value === undefined) throw new RefusedParameter("body", "the body is not JSON", "invalid_json");
  const parsed = v.safeParse(ResponseRequest, value);
  if (!parsed.success)
    throw new InvalidInput(parsed.issues.flatMap((issue) => validationErrors("body", issue)));
  refuseUnserved(parsed.output);
  return parsed.output;
}

function refuseUnserved(request: ResponseRequest): void {
  const { background, store, prompt, conversation, previous_response_id, tool_choice, tools } = request;
  if (background === true && store === false)
    throw unserved("store", "a response in the background is stored");
  if (prompt !== undefined && prompt !== null)
    throw unserved("prompt", "a component has its own instructions");
  if (conversation && previous_response_id)
    throw unserved("conversation", "previous_response_id says which conversation it is");
  if (
    !(tool_choice === undefined || tool_choice === null || tool_choice === "auto" || tool_choice === "none")
  )
    throw unserved("tool_choice", "only auto and none: the component decides which tool it calls");
  const other = (tools ?? []).findIndex(({ type }) => type !== "function");
  if (other >= 0) throw unserved(`tools[${other}].type`, "only functions; a component has its own tools");
}

const unserved = (param: string, why: string): RefusedParameter =>
  new RefusedParameter(param, `${param}: ${why}`);

export const itemsOfInput = ({ input }: ResponseRequest): readonly ResponseInput[] =>
  typeof input === "string" ? [{ role: "user", content: input }] : input;

/** What is newer than the last message of the assistant: what is before it was answered. */
export function newItems(request: ResponseRequest): readonly ResponseInput[] {
  const items = itemsOfInput(request);
  return items.slice(items.findLastIndex(({ role }) => role === "assistant") + 1);
}

/** Results of functions, by the ids of their calls. */
export const outputsIn = (items: readonly ResponseInput[]): ReadonlyMap<string, string> =>
  new Map(
    items.flatMap(({ type, call_id, output }) =>
      type === "function_call_output" && call_id !== undefined
        ? [[call_id, typeof output === "string" ? output : JSON.stringify(output ?? "")] as const]
        : [],
    ),
  );

/** What a person decided, by the ids of what was asked. */
export const decisionsIn = (items: readonly ResponseInput[]): ReadonlyMap<string, object> =>
  new Map(
    items.flatMap(({ type, approval_request_id, approve, reason }) =>
      type === "mcp_approval_response" && approval_request_id !== undefined
        ? [[approval_request_id, decisionOf(approve, reason)] as const]
        : [],
    ),
  );

/**
 * A request as one of chat completions, which says the same of messages, calls, functions and the form of the answer. Other items
 * are left out.
 */
export const asChat = (request: ResponseRequest): ChatRequest => {
  const { model, instructions, tools, tool_choice, text } = request;
  const format = text?.format;
  return {
    model,
    messages: [
      ...(instructions ? [{ role: "system" as const, content: instructions }] : []),
      ...itemsOfInput(request).flatMap(messageOf),
    ],
    ...(tools && {
      tools: tools.map(({ type, name = "", description, parameters }) => ({
        type,
        function: { name, ...(description && { description }), ...(parameters && { parameters }) },
      })),
    }),
    ...(tool_choice !== undefined && { tool_choice }),
    ...(format && { response_format: { type: format.type, json_schema: { schema: format.schema } } }),
  };
};

function messageOf(item: ResponseInput): ChatMessage[] {
  const { type = "message", role, content, call_id = "", output } = item;
  if (type === "function_call") {
    const { name, arguments: args } = item;
    if (typeof name !== "string" || typeof args !== "string") return [];
    const call = { id: call_id, type: "function" as const, function: { name, arguments: args } };
    return [{ role: "assistant", content: "", tool_calls: [call] }];
  }
  if (type === "function_call_output") {
    const text = typeof output === "string" ? output : JSON.stringify(output ?? "");
    return [{ role: "tool", tool_call_id: call_id, content: text }];
  }
  if (type !== "message" || role === undefined) return [];
  return [{ role, content: typeof content === "string" ? content : (content ?? []).map(partOf) }];
}

function partOf({ type, text, image_url, file_data, file_url, filename }: ResponsePart): ChatPart {
  if ((type === "input_text" || type === "output_text") && text !== undefined) return { type: "text", text };
  if (type === "input_image" && image_url) return { type: "image_url", image_url: { url: image_url } };
  const file = file_data ?? file_url;
  if (type === "input_file" && file)
    return { type: "file", file: { file_data: file, ...(filename && { filename }) } };
  throw unserved(
    "input",
    `a part of type ${type} cannot be read; send text, image_url, file_data or file_url`,
  );
}
