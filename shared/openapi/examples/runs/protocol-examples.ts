import type { aguiRoutes } from "../../../routes/protocols/agui.ts";
import type { mcpRoutes } from "../../../routes/protocols/mcp.ts";
import type { ExamplesOf } from "../example.ts";

const threadId = "thread-4711";
const runId = "run-1";
const streamOf = (...events: readonly object[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

/** A thread belongs to one component, so each has its own. */
const aguiOf = (threadId: string) => ({
  body: { threadId, runId, messages: [{ id: "m1", role: "user", content: "Where is my order?" }] },
  stream: streamOf(
    { type: "RUN_STARTED", threadId, runId, protocolVersion: "1.0" },
    { type: "STATE_SNAPSHOT", snapshot: {} },
    { type: "TEXT_MESSAGE_START", messageId: "m2", role: "assistant" },
    { type: "TEXT_MESSAGE_CONTENT", messageId: "m2", delta: "It was sent on 3 March." },
    { type: "TEXT_MESSAGE_END", messageId: "m2" },
    { type: "RUN_FINISHED", threadId, runId, outcome: { type: "success" } },
  ),
});

const called = { jsonrpc: "2.0" as const, id: 1 };
const ended = {
  ...called,
  result: {
    content: [{ type: "text", text: "It was sent on 3 March." }],
    structuredContent: { run_id: "r-1", session_id: threadId, status: "COMPLETED" },
  },
};

const resource = {
  answer: {
    resource: "https://agents.example.com/mcp",
    authorization_servers: ["https://login.example.com"],
    bearer_methods_supported: ["header" as const],
    scopes_supported: ["agents:run"],
    resource_name: "agent-platform",
  },
};

export const protocolExamples: ExamplesOf<typeof aguiRoutes & typeof mcpRoutes> = {
  runAgui: aguiOf(threadId),
  getAguiStatus: { answer: { status: "available" } },
  runAgentAgui: aguiOf("thread-of-agent"),
  runTeamAgui: aguiOf("thread-of-team"),
  runWorkflowAgui: aguiOf("thread-of-workflow"),
  callMcp: {
    body: {
      ...called,
      method: "tools/call",
      params: { name: "run_agent", arguments: { agent_id: "assistant", message: "Where is my order?" } },
    },
    answer: ended,
    stream: `event: message\n${streamOf(ended)}`,
  },
  getMcpResource: resource,
  getMcpResourceOfPath: resource,
};
