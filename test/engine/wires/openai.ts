import { openaiResponses } from "../../support/hostile-model/openai-responses.ts";
import { at, listAt, repliesBy, type Wire } from "./wire.ts";

/** The Responses API. */
export const openai: Wire = {
  ...repliesBy(openaiResponses),
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
  reasonings: ({ body }) =>
    listAt(body, "input")
      .filter((item) => at(item, "type") === "reasoning")
      .map((item) => ({ text: at(item, "summary", 0, "text"), proof: at(item, "encrypted_content") })),
  shape: ({ body }) => at(body, "text", "format", "schema"),
};
