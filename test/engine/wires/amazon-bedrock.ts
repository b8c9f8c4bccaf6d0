import { bedrockConverse } from "../../support/hostile-model/bedrock-converse.ts";
import { at, listAt, repliesBy, type Wire } from "./wire.ts";

const replies = repliesBy(bedrockConverse);

/** The ConverseStream operation, signed with the function's own credentials. */
export const amazonBedrock: Wire = {
  ...replies,
  spec: "amazon-bedrock:amazon.nova-test-v1:0",
  config: {},
  provider: "Amazon Bedrock",
  path: "/model/amazon.nova-test-v1%3A0/converse-stream",
  basePath: "",
  role: { toolResult: "user" },
  authorized: ({ headers }) =>
    /^AWS4-HMAC-SHA256 Credential=AKIATEST\/\d{8}\/eu-west-1\/bedrock\/aws4_request/.test(
      headers.authorization ?? "",
    ),
  read: ({ path, body }) => {
    const messages = listAt(body, "messages");
    const parts = messages.flatMap((message) => listAt(message, "content"));
    return {
      model: decodeURIComponent(path.split("/")[2] ?? ""),
      system: at(body, "system", 0, "text"),
      roles: messages.map((message) => at(message, "role")),
      tools: listAt(body, "toolConfig", "tools").map((tool) => ({
        name: at(tool, "toolSpec", "name"),
        description: at(tool, "toolSpec", "description"),
        schema: at(tool, "toolSpec", "inputSchema", "json"),
      })),
      results: parts
        .filter((part) => at(part, "toolResult"))
        .map((part) => ({
          id: at(part, "toolResult", "toolUseId"),
          text: at(part, "toolResult", "content", 0, "text"),
        })),
    };
  },
  reasonings: ({ body }) =>
    listAt(body, "messages")
      .flatMap((message) => listAt(message, "content"))
      .map((part) => at(part, "reasoningContent", "reasoningText"))
      .filter((reasoning) => reasoning !== undefined)
      .map((reasoning) => ({ text: at(reasoning, "text"), proof: at(reasoning, "signature") })),
  shape: ({ body }) =>
    at(
      listAt(body, "toolConfig", "tools").find((tool) => at(tool, "toolSpec", "name") === "json"),
      ...["toolSpec", "inputSchema", "json"],
    ),
  // A shape is the schema of a tool that the package adds.
  shaped: (json) => replies.calls([{ id: "t1", name: "json", input: json }]),
};
