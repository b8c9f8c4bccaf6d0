import { at, json, listAt, sse, type Wire } from "./wire.ts";

const started = {
  type: "message_start",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-test",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 11, output_tokens: 1 },
  },
};
const stopped = (stop_reason: string) => [
  { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 7 } },
  { type: "message_stop" },
];
const opened = [
  started,
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
];
const delta = (text: string) => ({
  type: "content_block_delta",
  index: 0,
  delta: { type: "text_delta", text },
});
const names: Readonly<Record<number, string>> = { 401: "authentication_error", 429: "rate_limit_error" };

/** The Messages API. */
export const anthropic: Wire = {
  spec: "anthropic:claude-test",
  config: { ANTHROPIC_API_KEY: "key-3" },
  provider: "Anthropic",
  path: "/v1/messages",
  basePath: "/v1",
  role: { toolResult: "user" },
  authorized: ({ headers }) =>
    headers["x-api-key"] === "key-3" && headers["anthropic-version"] === "2023-06-01",
  read: ({ body }) => {
    const messages = listAt(body, "messages");
    return {
      model: body.model,
      system: at(body, "system", 0, "text"),
      roles: messages.map((message) => at(message, "role")),
      tools: listAt(body, "tools").map((tool) => ({
        name: at(tool, "name"),
        description: at(tool, "description"),
        schema: at(tool, "input_schema"),
      })),
      results: messages
        .flatMap((message) => listAt(message, "content"))
        .filter((part) => at(part, "type") === "tool_result")
        .map((part) => ({ id: at(part, "tool_use_id"), text: at(part, "content") })),
    };
  },
  text: (first, second) =>
    sse([
      ...opened,
      delta(first),
      delta(second),
      { type: "content_block_stop", index: 0 },
      ...stopped("end_turn"),
    ]),
  calls: (calls) =>
    sse([
      started,
      ...calls.flatMap(({ id, name, input }, index) => [
        { type: "content_block_start", index, content_block: { type: "tool_use", id, name, input: {} } },
        { type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json: input } },
        { type: "content_block_stop", index },
      ]),
      ...stopped("tool_use"),
    ]),
  reasoned: ({ id, name, input }) =>
    sse([
      started,
      { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "I " } },
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "add." } },
      { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "sig-1" } },
      { type: "content_block_stop", index: 0 },
      { type: "content_block_start", index: 1, content_block: { type: "tool_use", id, name, input: {} } },
      { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: input } },
      { type: "content_block_stop", index: 1 },
      ...stopped("tool_use"),
    ]),
  reasonings: ({ body }) =>
    listAt(body, "messages")
      .flatMap((message) => listAt(message, "content"))
      .filter((part) => at(part, "type") === "thinking")
      .map((part) => ({ text: at(part, "thinking"), proof: at(part, "signature") })),
  shape: ({ body }) => at(body, "output_config", "format", "schema"),
  shaped: (answer) =>
    sse([...opened, delta(answer), { type: "content_block_stop", index: 0 }, ...stopped("end_turn")]),
  error: (status, message) =>
    json(status, { type: "error", error: { type: names[status] ?? "api_error", message } }),
  throttledInStream: (message) =>
    sse([...opened, delta("Half "), { type: "error", error: { type: "overloaded_error", message } }]),
  cutOff: (text) => sse([...opened, delta(text)]),
};
