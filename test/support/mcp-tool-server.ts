import { createServer, type IncomingMessage } from "node:http";
import {
  createMcpHandler,
  inputRequired,
  ProtocolError,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import * as v from "valibot";
import { serveOnLoopback } from "../../local/machine/listen-on-loopback.ts";

/** What a server of tools does that differs from test to test. */
export type ToolServerState = {
  /** `both` and `new` know version 2026-07-28; `new` knows no other, and `old` only those before. */
  speaks: "both" | "new" | "old";
  /** How long its list may be kept, in milliseconds. */
  ttlMs: number;
  /** Answers every request with this status, as a gateway before it would. */
  refuses: number | undefined;
  /** What `typed` gives as structured content. */
  structured: unknown;
  /** Names of tools that it has listed and does not know any more. */
  gone: Set<string>;
  /** How many more times a task is asked for before it has ended, by what it then is. */
  task: { asksLeft: number; end: "completed" | "input_required" | "failed" };
  /** Every request: its method, and what else tests look at. */
  readonly seen: {
    readonly method: string;
    readonly id: unknown;
    readonly name?: string | undefined;
    readonly headers: IncomingMessage["headers"];
    readonly params: Readonly<Record<string, unknown>>;
  }[];
};

const object = { type: "object" as const, properties: {} };
const form = {
  type: "object" as const,
  properties: {
    account: { type: "string" as const, title: "Account" },
    amount: { type: "integer" as const, description: "In cents" },
    note: { type: "string" as const },
  },
  required: ["account", "amount"],
};

const tools = [
  { name: "add", inputSchema: object, annotations: { readOnlyHint: true } },
  { name: "ask", inputSchema: object },
  { name: "big", inputSchema: object, annotations: { readOnlyHint: true } },
  {
    name: "linked",
    inputSchema: object,
    outputSchema: { ...object, $ref: "https://schemas.example/a.json" },
  },
  { name: "open_page", inputSchema: object },
  { name: "slow", inputSchema: object },
  {
    name: "typed",
    inputSchema: object,
    outputSchema: { ...object, properties: { celsius: { type: "number" } }, required: ["celsius"] },
  },
  { name: "wipe", inputSchema: object, annotations: { destructiveHint: true, idempotentHint: true } },
];

const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });
const POLL_MS = 2_000;

/** An MCP server of version 2026-07-28 and, where it says so, of those before, with tools for what that version adds. */
export async function startMcpToolServer() {
  const state: ToolServerState = {
    speaks: "both",
    ttlMs: 0,
    refuses: undefined,
    structured: { celsius: 21 },
    gone: new Set(),
    task: { asksLeft: 0, end: "completed" },
    seen: [],
  };
  const answerTo = async (request: Request): Promise<Response> => {
    if (state.speaks === "old") {
      const transport = new WebStandardStreamableHTTPServerTransport({ keepAliveMs: 0 });
      await serverOf(state).connect(transport);
      return transport.handleRequest(request);
    }
    const legacy = state.speaks === "both" ? "stateless" : "reject";
    return createMcpHandler(() => serverOf(state), { legacy, keepAliveMs: 0 }).fetch(request);
  };
  const http = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const { method = "", id, params = {} } = JSON.parse(body === "" ? "{}" : body);
    state.seen.push({ method, id, name: params.name ?? params.taskId, headers: request.headers, params });
    if (state.refuses !== undefined) return void response.writeHead(state.refuses).end("no");
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
    const answer = await answerTo(
      new Request(`http://localhost${request.url}`, {
        method: request.method ?? "POST",
        headers,
        ...(body !== "" && { body }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  const { address, stop } = await serveOnLoopback(http);
  return {
    url: `${address}/mcp`,
    state,
    /** Methods of the requests so far; of calls, with the tool or the task. */
    methods: () => state.seen.map(({ method, name }) => (name === undefined ? method : `${method} ${name}`)),
    stop,
  };
}

function serverOf(state: ToolServerState): Server {
  const server = new Server(
    { name: "tools", version: "1" },
    {
      capabilities: { tools: {}, extensions: { "io.modelcontextprotocol/tasks": {} } },
      cacheHints: { "tools/list": { ttlMs: state.ttlMs, cacheScope: "private" } },
    },
  );
  server.setRequestHandler("tools/list", async () => ({ tools: tools as never }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    if (state.gone.has(params.name)) throw new ProtocolError(-32_602, `Unknown tool: ${params.name}`);
    switch (params.name) {
      case "big":
        return text("x".repeat(5_000_000));
      case "typed":
      case "linked":
        return { ...text("typed"), structuredContent: state.structured as never };
      case "ask":
        return asking(mcpReq, (answer) => text(`took ${JSON.stringify(answer)}`));
      case "open_page":
        return asking(mcpReq, (answer) => text(`opened: ${answer.action}`), "https://login.example/there");
      case "slow":
        return taskOf(state, "working") as never;
      default:
        return text(`did ${params.name}`);
    }
  });
  const params = v.looseObject({ taskId: v.string() });
  server.setRequestHandler("tasks/get", { params }, async () => {
    const { task } = state;
    if (task.asksLeft > 0) {
      task.asksLeft -= 1;
      return taskOf(state, "working");
    }
    return taskOf(state, task.end);
  });
  server.setRequestHandler("tasks/update", { params }, async () => {
    state.task.end = "completed";
    return {};
  });
  server.setRequestHandler("tasks/cancel", { params }, async () => ({}));
  return server;
}

/** A task as `tasks/get` has it, and as the answer of a call. */
function taskOf(_state: ToolServerState, status: string) {
  const now = "2026-11-28T12:00:00.000Z";
  const task = {
    taskId: "task-1",
    status,
    createdAt: now,
    lastUpdatedAt: now,
    ttlMs: 60_000,
    pollIntervalMs: POLL_MS,
  };
  switch (status) {
    case "working":
      return { ...task, resultType: "task" };
    case "completed":
      return { ...task, result: { ...text("slowly done"), resultType: "complete" } };
    case "input_required":
      return {
        ...task,
        inputRequests: { pay: inputRequired.elicit({ message: "Which account?", requestedSchema: form }) },
      };
    default:
      return { ...task, error: { code: -32_603, message: "it broke" } };
  }
}

type Asked = {
  readonly requestState: () => unknown;
  readonly inputResponses?: Readonly<Record<string, unknown>> | undefined;
};

/** Asks its user once, and then answers with what was said. */
function asking(
  { requestState, inputResponses }: Asked,
  then: (answer: { readonly action: string; readonly content?: unknown }) => ReturnType<typeof text>,
  url?: string,
) {
  const state = requestState();
  if (typeof state !== "string") {
    const message = "Which account?";
    const pay =
      url === undefined
        ? inputRequired.elicit({ message, requestedSchema: form })
        : inputRequired.elicitUrl({ message, url });
    return inputRequired({ inputRequests: { pay }, requestState: "a state, byte for byte" });
  }
  if (state !== "a state, byte for byte") throw new ProtocolError(-32_602, "Invalid or expired requestState");
  return then((inputResponses as Record<string, { action: string }>)?.pay ?? { action: "none" });
}
