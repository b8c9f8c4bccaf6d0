import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";

/**
 * An MCP server as a process of its own, written with the protocol's own server library. It prints its port, lists its
 * tools on two pages, and shows at `/seen` what it was asked. `POST /forget` ends all sessions, and its query says with
 * which status and text they are unknown from then on; `POST /reset` makes it as new, and with `?reversed` it lists its tools, and
 * the members of their schemas, the other way round.
 */
const nothing = () => ({
  methods: [] as string[],
  sessions: 0,
  calls: [] as unknown[],
  cancelled: 0,
  authorization: "",
  traceparent: "",
});
let seen = nothing();
const UNKNOWN = { status: 404, text: "no such session" };
let unknown = UNKNOWN;
const sessions = new Map<string, StreamableHTTPServerTransport>();

const numbers = {
  type: "object" as const,
  properties: { a: { type: "number" }, b: { type: "number" } },
  required: ["a", "b"],
};
const none = { type: "object" as const };
const pages = [
  [
    { name: "math.add", description: "Add.", inputSchema: numbers, annotations: { readOnlyHint: true } },
    { name: "charge", description: "Charge a card.", inputSchema: none },
  ],
  [
    { name: "refuse", inputSchema: none, title: "Refuse everything" },
    { name: "dawdle", inputSchema: none, annotations: { idempotentHint: true } },
    { name: "show", inputSchema: none },
  ],
];
const grown = { name: "grown", inputSchema: none };
let hasGrown = false;
let isReversed = false;

/** The same value with the members of each object in the other order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value;
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).toReversed();
  return Object.fromEntries(members.map(([name, member]) => [name, reversed(member)]));
}

async function call(
  name: string,
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<CallToolResult> {
  seen.calls.push({ name, args });
  switch (name) {
    case "math.add":
      return { content: [{ type: "text", text: String(Number(args.a) + Number(args.b)) }] };
    case "refuse":
      return { isError: true, content: [{ type: "text", text: "not today" }] };
    case "dawdle":
      await sleep(10_000, undefined, { signal }).catch(() => {
        seen.cancelled += 1;
      });
      return { content: [] };
    case "show":
      return {
        content: [
          { type: "text", text: "Here:" },
          { type: "image", data: "aGk=", mimeType: "image/png" },
          { type: "resource", resource: { uri: "file:///a.txt", text: "inside a" } },
        ],
      };
    default:
      return { content: [], structuredContent: { charged: true } };
  }
}

const inOrder = (tools: readonly Tool[]): Tool[] =>
  isReversed ? tools.toReversed().map((tool) => reversed(tool) as Tool) : [...tools];

async function openSession(): Promise<StreamableHTTPServerTransport> {
  const server = new Server(
    { name: "test", version: "1" },
    { capabilities: { tools: { listChanged: true } } },
  );
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) =>
    params?.cursor === "2"
      ? { tools: inOrder([...(pages[1] ?? []), ...(hasGrown ? [grown] : [])]) }
      : { tools: inOrder(pages[0] ?? []), nextCursor: "2" },
  );
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
    if (params.name === "math.add" && params.arguments?.a === "grow") {
      hasGrown = true;
      await sendNotification({ method: "notifications/tools/list_changed" });
    }
    seen.traceparent = String(params._meta?.traceparent ?? "");
    return call(params.name, params.arguments ?? {}, signal);
  });
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => {
      seen.sessions += 1;
      sessions.set(id, transport);
    },
  });
  // The library's own types disagree under exactOptionalPropertyTypes.
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  return transport;
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === "/seen") return void response.end(JSON.stringify(seen));
  const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
  if (pathname === "/forget" || pathname === "/reset") {
    sessions.clear();
    const [status, text] = [searchParams.get("status"), searchParams.get("text")];
    unknown = { status: Number(status ?? UNKNOWN.status), text: text ?? UNKNOWN.text };
    if (pathname === "/reset") {
      seen = nothing();
      hasGrown = false;
      isReversed = searchParams.has("reversed");
    }
    return void response.end();
  }
  // Other tests' deliveries may still look for a receiver that had this port before.
  if (pathname !== "/mcp") return void response.writeHead(404).end();
  seen.methods.push(request.method ?? "");
  seen.authorization = request.headers.authorization ?? "";
  const id = request.headers["mcp-session-id"];
  const known = typeof id === "string" ? sessions.get(id) : await openSession();
  if (!known) return void response.writeHead(unknown.status).end(unknown.text);
  await known.handleRequest(request, response);
}

const http = createServer((request, response) => void serve(request, response));
http.listen(0, "127.0.0.1", () => console.log((http.address() as AddressInfo).port));
