import { at, json, listAt, sse, type Wire } from "./wire.ts";

const chunk = (delta: Record<string, unknown>, finish_reason: string | null = null) => ({
  id: "chat-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "tiny",
  choices: [{ index: 0, delta, finish_reason }],
});
const usage = {
  ...chunk({}),
  choices: [],
  usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
};

/** Chat completions, the wire that most self-hosted model servers speak. */
export const openaiCompatible: Wire = {
  spec: "openai-compatible:tiny",
  config: { MODEL_API_KEY: "key-2" },
  provider: "OpenAI compatible",
  path: "/v1/chat/completions",
  basePath: "/v1",
  role: { toolResult: "tool" },
  authorized: ({ headers }) => headers.authorization === "Bearer key-2",
  read: ({ body }) => {
    const messages = listAt(body, "messages");
    return {
      model: body.model,
      system: at(
        messages.find((message) => at(message, "role") === "system"),
        "content",
      ),
      roles: messages.map((message) => at(message, "role")).filter((role) => role !== "system"),
      tools: listAt(body, "tools").map((tool) => ({
        name: at(tool, "function", "name"),
        description: at(tool, "function", "description"),
        schema: at(tool, "function", "parameters"),
      })),
      results: messages
        .filter((message) => at(message, "role") === "tool")
        .map((message) => ({ id: at(message, "tool_call_id"), text: at(message, "content") })),
    };
  },
  text: (first, second) =>
    sse([
      chunk({ role: "assistant", content: first }),
      chunk({ content: second }),
      chunk({}, "stop"),
      usage,
      "[DONE]",
    ]),
  calls: (calls) =>
    sse([
      ...calls.flatMap(({ id, name, input }, index) => [
        chunk({
          role: "assistant",
          tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }],
        }),
        chunk({ tool_calls: [{ index, function: { arguments: input } }] }),
      ]),
      chunk({}, "tool_calls"),
      usage,
      "[DONE]",
    ]),
  reasoned: ({ id, name, input }) =>
    sse([
      chunk({ role: "assistant", reasoning_content: "I " }),
      chunk({ reasoning_content: "add." }),
      chunk({ tool_calls: [{ index: 0, id, type: "function", function: { name, arguments: input } }] }),
      chunk({}, "tool_calls"),
      usage,
      "[DONE]",
    ]),
  reasonings: ({ body }) =>
    listAt(body, "messages")
      .map((message) => at(message, "reasoning_content"))
      .filter((text) => text !== undefined)
      .map((text) => ({ text })),
  shape: ({ body }) => at(body, "response_format"),
  shaped: (answer) =>
    sse([chunk({ role: "assistant", content: answer }), chunk({}, "stop"), usage, "[DONE]"]),
  error: (status, message) => json(status, { error: { message, type: "server_error", code: null } }),
  throttledInStream: (message) =>
    sse([
      chunk({ role: "assistant", content: "Half " }),
      { error: { message, type: "rate_limit_error", code: "rate_limit_exceeded" } },
    ]),
  cutOff: (text) => sse([chunk({ role: "assistant", content: text })]),
};
