import { AsyncLocalStorage } from "node:async_hooks";
import type { Client, Transport, VersionNegotiationMode } from "@modelcontextprotocol/client";
import type { Clock } from "../../../runtime/clock.ts";
import type { AskingRun } from "../tool.ts";
import { type McpConnection, requestLimit } from "./mcp-server.ts";
import { adapted } from "./mcp-transport.ts";

/** Of a server: `modern` since version 2026-07-28, whose requests stand for themselves, `legacy` before it. */
type Era = "modern" | "legacy";

/** How long a process counts on what it found a server to speak. */
const VERDICT_MS = 60 * 60 * 1000;
const MODERN = "2026-07-28";
/** A list that never ends is a fault of its server. No model could choose among so many tools. */
const MAX_PAGES = 20;

/** By the server's address, or by its program. */
const verdicts = new Map<string, { readonly era: Era; readonly untilMs: number }>();

/** The run whose request is being sent. */
export const asked = new AsyncLocalStorage<AskingRun>();

/**
 * Connects with an MCP server, by the newest version that both speak. What it speaks is found out once an hour; an answer that says
 * nothing about versions (401, 403, 5xx, none) decides nothing. The client's code is a chunk of its own in the bundle, loaded only
 * by runs whose agent has such a server.
 *
 * @param toolsChanged  called when the server says, within the answer of a request, that its tools have changed
 * @throws the error that kept the server from answering
 */
export async function connectMcp(
  server: McpConnection,
  toolsChanged: () => void,
  clock: Pick<Clock, "now">,
): Promise<Client> {
  const place = server.url ?? JSON.stringify([server.command, server.args]);
  const known = verdicts.get(place);
  if (known && clock.now() < known.untilMs) {
    try {
      return await open(server, known.era === "modern" ? { pin: MODERN } : "legacy", toolsChanged);
    } catch (error) {
      if (!saysOtherVersion(error)) throw error;
      verdicts.delete(place);
    }
  }
  const client = await open(server, "auto", toolsChanged);
  const era = client.getProtocolEra();
  if (era) verdicts.set(place, { era, untilMs: clock.now() + VERDICT_MS });
  return client;
}

async function open(
  server: McpConnection,
  mode: VersionNegotiationMode,
  toolsChanged: () => void,
): Promise<Client> {
  const { Client } = await import("@modelcontextprotocol/client");
  const client = new Client(
    { name: "agent-platform", version: "1" },
    {
      versionNegotiation: { mode },
      listMaxPages: MAX_PAGES,
      // What a server asks for in place of an answer pauses the run, and is no matter of this process.
      inputRequired: { autoFulfill: false },
      // Results are checked by the platform's own validator, within a time limit and without references to elsewhere.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  );
  client.setNotificationHandler("notifications/tools/list_changed", toolsChanged);
  await client.connect(adapted(await transportTo(server)), requestLimit(server));
  return client;
}

/** What a request says that this client can do; servers of older versions are not asked to ask people, since their calls cannot wait. */
export const capabilitiesFor = (
  client: Client,
  { elicitation }: Pick<McpConnection, "elicitation">,
): Readonly<Record<string, unknown>> =>
  client.getProtocolEra() === "modern"
    ? {
        [CAPABILITIES_KEY]: {
          ...(elicitation !== "decline" && { elicitation: { form: {}, url: {} } }),
          extensions: { "io.modelcontextprotocol/tasks": {} },
        },
      }
    : {};
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";

async function transportTo(server: McpConnection): Promise<Transport> {
  if (server.url !== undefined) {
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
    return new StreamableHTTPClientTransport(new URL(server.url), { fetch: fetchFor(server.headers) });
  }
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const { command, args = [], env = {} } = server;
  return new StdioClientTransport({ command, args: [...args], env: { ...env } });
}

/** Whether an error shows that a server does not speak what it was found to speak. */
function saysOtherVersion(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== undefined) return status === 400 || status === 404;
  const code = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return typeof code === "number" || code === "ERA_NEGOTIATION_FAILED";
}

/** The HTTP status of an answer that was none by the protocol. */
export function statusOf(error: unknown): number | undefined {
  const status: unknown = error instanceof Error ? Reflect.get(error, "status") : undefined;
  return typeof status === "number" ? status : undefined;
}

/**
 * Sends requests with the headers of the run that makes them. The protocol also lets a client keep a GET open for messages that the
 * server sends on its own. Nothing here reads them, and a function that is frozen between two runs cannot keep it open; so the GET gets
 * 405, as from a server without it.
 */
const fetchFor =
  (headers: McpConnection["headers"]) =>
  async (url: string | URL, init?: RequestInit): Promise<Response> => {
    if (init?.method === "GET") return new Response(null, { status: 405 });
    const asking = asked.getStore();
    if (!headers || !asking) return fetch(url, init);
    const all = new Headers(init?.headers);
    for (const [name, value] of Object.entries(await headers(asking))) all.set(name, value);
    return fetch(url, { ...init, headers: all });
  };
