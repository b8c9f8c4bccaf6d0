import { chatCompletions } from "../../support/hostile-model/chat-completions.ts";
import { at, listAt, repliesBy, type Wire } from "./wire.ts";

/** Chat completions, the wire that most self-hosted model servers speak. */
export const openaiCompatible: Wire = {
  ...repliesBy(chatCompletions),
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
  reasonings: ({ body }) =>
    listAt(body, "messages")
      .map((message) => at(message, "reasoning_content"))
      .filter((text) => text !== undefined)
      .map((text) => ({ text })),
  shape: ({ body }) => at(body, "response_format"),
};
