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

/**
 * The MCP server over a real store, which the official client calls without a network.
 *
 * @param scopes  of each of its users
 * @param models  the scripted one when left out
 */
export function mcpWorld(
  db: Db,
  settings: Partial<McpSettings> = {},
  scopes: readonly string[] = everyScope,
  models?: McpDeps["models"],
) {
  const world = queueWorld(db, {}, undefined, models);
  const deps: McpDeps = {
    ...world,
    searchKnowledge: async () => [],
    mcp: {
      registry,
      ...{ tools: "", confirms: false, knowledge: [], origins: new Set<string>(), issuers: [] },
      ...{ signsIn: false, osId: "test" },
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
    const principal = { kind: "user" as const, user_id, scopes, admin: false };
    const signal = init.signal ?? new AbortController().signal;
    const request = {
      params: {},
      query: {},
      body: String(init.body),
      headers,
      principal,
      signal,
      invocation: {},
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
  /** Sends one request as the wire has it. @returns its answer, also where that is a stream */
  const ask = async (user_id: string, { method, params = {}, headers = {}, capabilities = {} }: Asked) => {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": BY_ITSELF,
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": capabilities,
    };
    const name = params.name ?? params.uri ?? params.taskId;
    const response = await send(user_id, {
      method: "POST",
      headers: {
        ...{ accept: "application/json, text/event-stream", "content-type": "application/json" },
        ...{ "mcp-protocol-version": BY_ITSELF, "mcp-method": method },
        ...(typeof name === "string" && { "mcp-name": name }),
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { _meta, ...params } }),
    });
    const text = await response.text();
    const json = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
    return { status: response.status, text, json };
  };
  return { ...world, deps, send, ask, connect };
}

type Asked = {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the client says that it can do. */
  readonly capabilities?: object;
};
