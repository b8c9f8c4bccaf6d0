import { eventStreamFrame } from "../../support/hostile-model/event-stream-frame.ts";
import type { WireReply } from "../support/wire-server.ts";
import { at, json, listAt, type Wire } from "./wire.ts";

type Event = readonly [type: string, body: Record<string, unknown>];

const stream = (events: readonly Event[], exception?: Event): WireReply => ({
  contentType: "application/vnd.amazon.eventstream",
  body: Buffer.concat([
    ...events.map(([type, body]) =>
      eventStreamFrame({ ":message-type": "event", ":event-type": type }, body),
    ),
    ...(exception
      ? [eventStreamFrame({ ":message-type": "exception", ":exception-type": exception[0] }, exception[1])]
      : []),
  ]),
});
const started: Event = ["messageStart", { role: "assistant" }];
const delta = (text: string): Event => ["contentBlockDelta", { contentBlockIndex: 0, delta: { text } }];
const stopped = (stopReason: string): Event[] => [
  ["messageStop", { stopReason }],
  ["metadata", { usage: { inputTokens: 11, outputTokens: 7, totalTokens: 18 }, metrics: { latencyMs: 5 } }],
];
const names: Readonly<Record<number, string>> = { 403: "AccessDeniedException", 429: "ThrottlingException" };

/** The ConverseStream operation, signed with the function's own credentials. */
export const amazonBedrock: Wire = {
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
  text: (first, second) =>
    stream([
      started,
      delta(first),
      delta(second),
      ["contentBlockStop", { contentBlockIndex: 0 }],
      ...stopped("end_turn"),
    ]),
  calls: (calls) =>
    stream([
      started,
      ...calls.flatMap(({ id, name, input }, contentBlockIndex): Event[] => [
        ["contentBlockStart", { contentBlockIndex, start: { toolUse: { toolUseId: id, name } } }],
        ["contentBlockDelta", { contentBlockIndex, delta: { toolUse: { input } } }],
        ["contentBlockStop", { contentBlockIndex }],
      ]),
      ...stopped("tool_use"),
    ]),
  reasoned: ({ id, name, input }) =>
    stream([
      started,
      ["contentBlockDelta", { contentBlockIndex: 0, delta: { reasoningContent: { text: "I " } } }],
      ["contentBlockDelta", { contentBlockIndex: 0, delta: { reasoningContent: { text: "add." } } }],
      ["contentBlockDelta", { contentBlockIndex: 0, delta: { reasoningContent: { signature: "sig-1" } } }],
      ["contentBlockStop", { contentBlockIndex: 0 }],
      ["contentBlockStart", { contentBlockIndex: 1, start: { toolUse: { toolUseId: id, name } } }],
      ["contentBlockDelta", { contentBlockIndex: 1, delta: { toolUse: { input } } }],
      ["contentBlockStop", { contentBlockIndex: 1 }],
      ...stopped("tool_use"),
    ]),
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
  shaped: (json) =>
    stream([
      started,
      ["contentBlockStart", { contentBlockIndex: 0, start: { toolUse: { toolUseId: "t1", name: "json" } } }],
      ["contentBlockDelta", { contentBlockIndex: 0, delta: { toolUse: { input: json } } }],
      ["contentBlockStop", { contentBlockIndex: 0 }],
      ...stopped("tool_use"),
    ]),
  error: (status, message) => json(status, { message, __type: names[status] ?? "InternalServerException" }),
  throttledInStream: (message) => stream([started, delta("Half ")], ["throttlingException", { message }]),
  cutOff: (text) => stream([started, delta(text)]),
};
