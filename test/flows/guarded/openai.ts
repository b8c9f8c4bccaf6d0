import { type Fields, type GuardedWay, NOT_READ, named, needed, nothing, textOf, tool } from "./way.ts";

/** @param more  members beside the model, with the messages */
const chat =
  (more: (words: string) => object): GuardedWay =>
  (client, words) => {
    const messages = [{ role: "user", content: "hello" }];
    const json = { model: "agent:guarded", messages, metadata: { session_id: crypto.randomUUID() } };
    return textOf(client.post("/v1/chat/completions", { json: { ...json, stream: true, ...more(words) } }));
  };
const before = (role: string, content: string) => ({
  messages: [
    { role, content },
    { role: "user", content: "hello" },
  ],
});
const gate = (more: object) => ({
  tools: [{ type: "function", function: { name: "open_gate", ...more } }],
});
export const chatFields: Fields = {
  fields: {
    "messages.content": chat((content) => ({ messages: [{ role: "user", content }] })),
    "messages of the user before": chat((words) => before("user", words)),
    "messages of the assistant": chat((words) => before("assistant", words)),
    "messages of the system": chat((words) => before("system", words)),
    "messages.tool_calls": chat((words) => ({
      messages: [
        { role: "user", content: "hello" },
        {
          role: "assistant",
          tool_calls: [
            { id: "c", type: "function", function: { name: "t", arguments: JSON.stringify({ words }) } },
          ],
        },
        { role: "tool", tool_call_id: "c", content: "done" },
        { role: "user", content: "and now?" },
      ],
    })),
    "messages of a tool": async (client, words) => {
      const session_id = crypto.randomUUID();
      const asked = [{ role: "user", content: '[[tool:open_gate {"words":"so far"}]]' }];
      const request = { model: "agent:guarded", metadata: { session_id }, ...gate({}) };
      const first = await needed(
        client.post("/v1/chat/completions", { json: { ...request, messages: asked } }),
      );
      const { message } = first.json.choices[0];
      const result = { role: "tool", tool_call_id: message.tool_calls[0].id, content: words };
      const messages = [...asked, message, result];
      return textOf(client.post("/v1/chat/completions", { json: { ...request, messages, stream: true } }));
    },
    "tools.function": chat((description) => gate({ description })),
    "response_format.json_schema": chat((description) => ({
      messages: [{ role: "user", content: '[[answer:{"a":"b"}]]' }],
      response_format: {
        type: "json_schema",
        json_schema: { name: "a", schema: { type: "object", description } },
      },
    })),
    "response_format.type": named,
    ...{ response_format: nothing("is a form of the answer"), "tools.*": NOT_READ },
    metadata: chat((words) => ({ metadata: { tenant: words } })),
    "messages.role": named,
    "messages.tool_call_id": named,
    "tools.type": named,
    tool_choice: named,
    ...{
      model: named,
      stream: named,
      stream_options: named,
      n: named,
      "*": NOT_READ,
      "messages.*": NOT_READ,
    },
  },
};

const response =
  (more: (words: string) => object): GuardedWay =>
  (client, words) =>
    textOf(
      client.post("/v1/responses", { json: { model: "agent:guarded", input: "hello", ...more(words) } }),
    );
export const responseFields: Fields = {
  fields: {
    input: response((input) => ({ input })),
    "input.content": response((text) => ({
      input: [{ role: "user", content: [{ type: "input_text", text }] }],
    })),
    "a message before": response((words) => ({
      input: [
        { role: "assistant", content: words },
        { role: "user", content: "hello" },
      ],
    })),
    "input.output": async (client, words) => {
      const tools = [{ type: "function", name: "open_gate" }];
      const request = { model: "agent:guarded", tools };
      const input = '[[tool:open_gate {"words":"so far"}]]';
      const first = await needed(client.post("/v1/responses", { json: { ...request, input } }));
      const { call_id } = first.json.output[0];
      const result = [{ type: "function_call_output", call_id, output: words }];
      return textOf(client.post("/v1/responses", { json: { ...request, input: result } }));
    },
    "input.reason": async (client, words) => {
      const request = { model: "agent:guarded" };
      const input = tool("confirmed");
      const first = await needed(client.post("/v1/responses", { json: { ...request, input } }));
      const { id, output } = first.json;
      const decision = { type: "mcp_approval_response", approval_request_id: output[0].id };
      const answer = [{ ...decision, approve: false, reason: words }];
      return textOf(
        client.post("/v1/responses", { json: { ...request, input: answer, previous_response_id: id } }),
      );
    },
    instructions: response((instructions) => ({ instructions })),
    "tools.description": response((description) => ({
      tools: [{ type: "function", name: "open_gate", description }],
    })),
    "tools.parameters": response((description) => ({
      tools: [{ type: "function", name: "open_gate", parameters: { type: "object", description } }],
    })),
    text: response((description) => ({
      input: '[[answer:{"a":"b"}]]',
      text: { format: { type: "json_schema", name: "a", schema: { type: "object", description } } },
    })),
    metadata: response((words) => ({ metadata: { tenant: words } })),
    ...{ model: named, previous_response_id: named, conversation: named, background: named, store: named },
    ...{ stream: named, tool_choice: named, "*": NOT_READ, tools: named },
  },
};
