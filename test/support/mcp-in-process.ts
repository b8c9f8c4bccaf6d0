import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { callMcp } from "../../functions/runs/mcp/call-mcp.ts";
import type { McpDeps, McpSettings } from "../../functions/runs/mcp/mcp-deps.ts";
import { EventStream } from "../../shared/http/handler.ts";
import type { Db } from "../../shared/stores/db.ts";
import { queueWorld } from "./queue-world.ts";
import { registry } from "./registry/index.ts";

const ORIGIN = "http://mcp.example";
const everyScope = ["agents", "teams", "workflows"].flatMap((kind) => [`${kind}:read`, `${kind}:run`]);

/** Version of the protocol whose requests say by themselves who sends them. */
export const BY_ITSELF = "2026-07-28";

/** The MCP server over a real store, which the official client calls without a network. */
export function mcpWorld(db: Db, settings: Partial<McpSettings> = {}) {
  const world = queueWorld(db);
  const deps: McpDeps = {
    ...world,
    searchKnowledge: async () => [],
    mcp: {
      registry,
      ...{ tools: "", confirms: false, knowledge: [], origins: new Set<string>(), issuers: [], osId: "test" },
      recordAudit: async () => undefined,
      publicUrl: ORIGIN,
      live: { kept: async () => [], anew: async () => [] },
      ...settings,
    },
  };
  /** Sends one request as a user, and answers as the platform would. */
  const send = async (user_id: string, init: RequestInit): Promise<Response> => {
    if ((init.method ?? "GET") !== "POST") return new Response(null, { status: 405 });
    const headers = Object.fromEntries(new Headers(init.headers));
    const principal = { kind: "user" as const, user_id, scopes: everyScope, admin: false };
    const signal = init.signal ?? new AbortController().signal;
    const request = {
      params: {},
      query: {},
      body: String(init.body),
      headers,
      principal,
      signal,
      origin: ORIGIN,
    };
    const answer = await callMcp(request, deps);
    if (!(answer instanceof EventStream)) {
      const { status, body, headers: given } = answer;
      const text = body === undefined ? null : JSON.stringify(body);
      return new Response(text, { status, headers: { "content-type": "application/json", ...given } });
    }
    const chunks = ReadableStream.from(answer.chunks).pipeThrough(new TextEncoderStream());
    return new Response(chunks, { headers: { "content-type": "text/event-stream", ...answer.headers } });
  };
  /** The official client, connected in the newest version. */
  const connect = async (user_id: string, options: ClientOptions = {}): Promise<Client> => {
    const client = new Client(
      { name: "test", version: "1" },
      { versionNegotiation: { mode: { pin: BY_ITSELF } }, ...options },
    );
    const fetch = (_url: string | URL, init: RequestInit = {}) => send(user_id, init);
    await client.connect(new StreamableHTTPClientTransport(new URL(`${ORIGIN}/mcp`), { fetch }));
    return client;
  };
  return { ...world, send, connect };
}
