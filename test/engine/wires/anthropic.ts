import { anthropicMessages } from "../../support/hostile-model/anthropic-messages.ts";
import { at, listAt, repliesBy, type Wire } from "./wire.ts";

/** The Messages API. */
export const anthropic: Wire = {
  ...repliesBy(anthropicMessages),
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
  reasonings: ({ body }) =>
    listAt(body, "messages")
      .flatMap((message) => listAt(message, "content"))
      .filter((part) => at(part, "type") === "thinking")
      .map((part) => ({ text: at(part, "thinking"), proof: at(part, "signature") })),
  shape: ({ body }) => at(body, "output_config", "format", "schema"),
};
