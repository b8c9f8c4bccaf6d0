import { type Fields, type GuardedWay, NOT_READ, named, nothing, textOf, tool } from "./way.ts";

const agui =
  (path: string, more: (words: string) => object): GuardedWay =>
  (client, words) => {
    const messages = [{ id: "m", role: "user", content: "hello" }];
    const json = { threadId: crypto.randomUUID(), runId: "r", messages, ...more(words) };
    return textOf(client.post(`${path}/agui`, { json }));
  };
export const aguiFields = (path: string): Fields => ({
  fields: {
    "messages.content": agui(path, (content) => ({ messages: [{ id: "m", role: "user", content }] })),
    "messages of a tool": async (client, words) => {
      const threadId = crypto.randomUUID();
      const asked = [{ id: "m", role: "user", content: tool("elsewhere") }];
      const first = await textOf(
        client.post(`${path}/agui`, { json: { threadId, runId: "r", messages: asked } }),
      );
      const toolCallId = /"toolCallId":"([^"]+)"/.exec(first)?.[1];
      const messages = [...asked, { id: "n", role: "tool", toolCallId, content: words }];
      return textOf(client.post(`${path}/agui`, { json: { threadId, runId: "r2", messages } }));
    },
    state: agui(path, (words) => ({ state: { note: words } })),
    "tools.name": named,
    "tools.description": agui(path, (description) => ({ tools: [{ name: "open_gate", description }] })),
    "tools.parameters": agui(path, (description) => ({
      tools: [{ name: "open_gate", description: "Opens it.", parameters: { type: "object", description } }],
    })),
    context: agui(path, (value) => ({ context: [{ description: "note", value }] })),
    resume: async (client, words) => {
      const threadId = crypto.randomUUID();
      const messages = [{ id: "m", role: "user", content: tool("filled_in") }];
      const first = await textOf(client.post(`${path}/agui`, { json: { threadId, runId: "r", messages } }));
      const interruptId = /"interrupts":\[\{"id":"([^"]+)"/.exec(first)?.[1];
      const resume = [{ interruptId, status: "resolved", payload: { words } }];
      return textOf(client.post(`${path}/agui`, { json: { threadId, runId: "r2", messages, resume } }));
    },
    "messages.*": NOT_READ,
    "messages.id": named,
    "messages.role": named,
    "messages.toolCallId": named,
    "messages.error": NOT_READ,
    threadId: named,
    runId: named,
    protocolVersion: named,
    parentRunId: named,
    forwardedProps: nothing("is stored with the run"),
    "*": nothing("is not read"),
  },
});

export const mcp =
  (name: string, args: (words: string) => object): GuardedWay =>
  (client, words) => {
    const params = { name, arguments: args(words) };
    const headers = { accept: "application/json, text/event-stream" };
    return textOf(
      client.post("/mcp", { json: { jsonrpc: "2.0", id: 1, method: "tools/call", params }, headers }),
    );
  };

const envelope = (words: string, method = "message/send") => ({
  ...{ jsonrpc: "2.0", id: "1", method },
  params: {
    message: { messageId: crypto.randomUUID(), role: "user", parts: [{ kind: "text", text: words }] },
  },
});
export const a2a =
  (path: string): GuardedWay =>
  (client, words) =>
    textOf(client.post(`/a2a${path}`, { json: envelope(words) }));
export const legacy =
  (path: string, method: string): GuardedWay =>
  (client, words) =>
    textOf(client.post(path, { json: envelope(words, method), headers: { "x-agent-id": "guarded" } }));
