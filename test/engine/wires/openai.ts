import { at, json, listAt, sse, type Wire } from "./wire.ts";

const created = {
  type: "response.created",
  response: { id: "resp_1", object: "response", created_at: 1, model: "gpt-test", status: "in_progress" },
};
const usage = {
  input_tokens: 11,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 18,
};
const completed = { type: "response.completed", response: { incomplete_details: null, usage } };
const message = { type: "message", id: "msg_1", role: "assistant", content: [] };
const delta = (text: string) => ({
  type: "response.output_text.delta",
  item_id: "msg_1",
  output_index: 0,
  content_index: 0,
  delta: text,
});
const opened = [created, { type: "response.output_item.added", output_index: 0, item: message }];

/** The Responses API. */
export const openai: Wire = {
  spec: "openai:gpt-test",
  config: { OPENAI_API_KEY: "key-1" },
  provider: "OpenAI",
  path: "/v1/responses",
  basePath: "/v1",
  role: { toolResult: "function_call_output" },
  authorized: ({ headers, body }) => headers.authorization === "Bearer key-1" && body.store === false,
  read: ({ body }) => {
    const input = listAt(body, "input");
    return {
      model: body.model,
      system: at(
        input.find((item) => at(item, "role") === "system" || at(item, "role") === "developer"),
        "content",
      ),
      roles: input.map((item) => at(item, "role") ?? at(item, "type")).filter((role) => role !== "system"),
      tools: listAt(body, "tools").map((tool) => ({
        name: at(tool, "name"),
        description: at(tool, "description"),
        schema: at(tool, "parameters"),
      })),
      results: input
        .filter((item) => at(item, "type") === "function_call_output")
        .map((item) => ({ id: at(item, "call_id"), text: at(item, "output") })),
    };
  },
  text: (first, second) =>
    sse([
      ...opened,
      delta(first),
      delta(second),
      { type: "response.output_item.done", output_index: 0, item: message },
      completed,
    ]),
  calls: (calls) =>
    sse([
      created,
      ...calls.flatMap(({ id, name, input }, i) => {
        const item = { type: "function_call", id: `fc_${i}`, call_id: id, name };
        return [
          { type: "response.output_item.added", output_index: i, item: { ...item, arguments: "" } },
          { type: "response.function_call_arguments.delta", item_id: item.id, output_index: i, delta: input },
          {
            type: "response.output_item.done",
            output_index: i,
            item: { ...item, arguments: input, status: "completed" },
          },
        ];
      }),
      completed,
    ]),
  reasoned: ({ id, name, input }) => {
    const thought = { type: "reasoning", id: "rs_1" };
    const call = { type: "function_call", id: "fc_1", call_id: id, name };
    const part = { item_id: "rs_1", output_index: 0, summary_index: 0 };
    return sse([
      created,
      { type: "response.output_item.added", output_index: 0, item: { ...thought, summary: [] } },
      { type: "response.reasoning_summary_part.added", ...part, part: { type: "summary_text", text: "" } },
      { type: "response.reasoning_summary_text.delta", ...part, delta: "I add." },
      {
        type: "response.reasoning_summary_part.done",
        ...part,
        part: { type: "summary_text", text: "I add." },
      },
      {
        type: "response.output_item.done",
        output_index: 0,
        item: { ...thought, encrypted_content: "sig-1", summary: [{ type: "summary_text", text: "I add." }] },
      },
      { type: "response.output_item.added", output_index: 1, item: { ...call, arguments: "" } },
      {
        type: "response.output_item.done",
        output_index: 1,
        item: { ...call, arguments: input, status: "completed" },
      },
      completed,
    ]);
  },
  reasonings: ({ body }) =>
    listAt(body, "input")
      .filter((item) => at(item, "type") === "reasoning")
      .map((item) => ({ text: at(item, "summary", 0, "text"), proof: at(item, "encrypted_content") })),
  shape: ({ body }) => at(body, "text", "format", "schema"),
  shaped: (answer) =>
    sse([
      ...opened,
      delta(answer),
      { type: "response.output_item.done", output_index: 0, item: message },
      completed,
    ]),
  error: (status, text) => json(status, { error: { message: text, type: "server_error", code: null } }),
  throttledInStream: (text) =>
    sse([
      ...opened,
      delta("Half "),
      { type: "error", sequence_number: 3, code: "rate_limit_exceeded", message: text, param: null },
    ]),
  cutOff: (text) => sse([...opened, delta(text)]),
};
