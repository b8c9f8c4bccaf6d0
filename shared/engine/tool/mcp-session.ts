import { AsyncLocalStorage } from "node:async_hooks";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { McpConnection, McpServer } from "./mcp-server.ts";
import type { AskingRun, Tool } from "./tool.ts";

export type McpSessions = {
  /**
   * Sends a request to the server, over one connection for all runs of a user.
   *
   * @param asking  with other secrets than before a new connection is opened
   * @param effect  what sending it twice would do
   */
  readonly request: <T>(
    asking: AskingRun,
    effect: Tool["effect"],
    send: (client: Client) => Promise<T>,
  ) => Promise<T>;
};

/** How many users' sessions a process keeps; the one that was used longest ago gives way to another. */
const MAX_SESSIONS = 50;

type Session = { readonly client: Promise<Client>; readonly openedWith: string };

/**
 * Caches a user's session with a server for as long as the server knows it. A server that has dropped the session answers 404, or 400 as
 * many do, and has done nothing, so the request is sent again in a new session.
 *
 * @param connect  opens a session; the run that is asking is known to `requestHeaders`
 * @source Model Context Protocol 2025-06-18, "Session Management"
 */
export function cachedMcpSessions(connect: () => Promise<Client>): McpSessions {
  const sessions = new Map<string | null, Session>();
  const discard = (user: string | null, client: Promise<Client>): void => {
    if (sessions.get(user)?.client === client) sessions.delete(user);
  };
  const connected = ({ user_id, secrets }: AskingRun): Promise<Client> => {
    const openedWith = JSON.stringify(secrets);
    const known = sessions.get(user_id);
    sessions.delete(user_id);
    const session = known?.openedWith === openedWith ? known : { client: connect(), openedWith };
    sessions.set(user_id, session);
    forgetOldest(sessions);
    if (session !== known) session.client.catch(() => discard(user_id, session.client));
    return session.client;
  };
  return {
    request: (asking, effect, send) =>
      asked.run(asking, async () => {
        const used = connected(asking);
        const client = await used;
        try {
          return await send(client);
        } catch (error) {
          if (!isExpired(error, effect)) throw error;
          discard(asking.user_id, used);
          await client.close();
          return send(await connected(asking));
        }
      }),
  };
}

/** Of sessions in the order in which they were last used. It may still answer a request, so the server ends it. */
function forgetOldest(sessions: Map<string | null, Session>): void {
  const [oldest] = sessions.keys();
  if (sessions.size > MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest);
}

/** The run whose request is being sent. */
const asked = new AsyncLocalStorage<AskingRun>();

/** A 400 may be about the request itself. One that would do harm twice is repeated only where the answer names the session. */
function isExpired(error: unknown, effect: Tool["effect"]): boolean {
  if (!(error instanceof Error)) return false;
  const code: unknown = Reflect.get(error, "code");
  return code === 404 || (code === 400 && (effect === "safe" || /session/i.test(error.message)));
}

/**
 * Opens a session with an MCP server. The client's code is a chunk of its own in the bundle, loaded only by runs whose
 * agent has such a server.
 *
 * @param toolsChanged  called when the server says, within the answer of a request, that its tools have changed
 * @throws the error that kept the server from answering
 */
export async function connectMcp(server: McpConnection, toolsChanged: () => void): Promise<Client> {
  const [{ Client }, { StreamableHTTPClientTransport }, { ToolListChangedNotificationSchema }] =
    await Promise.all([
      import("@modelcontextprotocol/sdk/client/index.js"),
      import("@modelcontextprotocol/sdk/client/streamableHttp.js"),
      import("@modelcontextprotocol/sdk/types.js"),
    ]);
  const client = new Client({ name: "agent-platform", version: "1" });
  client.setNotificationHandler(ToolListChangedNotificationSchema, toolsChanged);
  const transport = new StreamableHTTPClientTransport(new URL(server.url), { fetch: fetchFor(server) });
  await client.connect(transport, requestLimit(server));
  return client;
}

/**
 * Sends requests with the headers of the run that makes them. The protocol also lets a client keep a GET open for messages that the
 * server sends on its own. Nothing here reads them, and a function that is frozen between two runs cannot keep it open; so the GET gets
 * 405, as from a server without it.
 */
const fetchFor =
  ({ headers }: McpConnection): typeof fetch =>
  async (url, init) => {
    if (init?.method === "GET") return new Response(null, { status: 405 });
    const asking = asked.getStore();
    if (!headers || !asking) return fetch(url, init);
    const all = new Headers(init?.headers);
    for (const [name, value] of Object.entries(await headers(asking))) all.set(name, value);
    return fetch(url, { ...init, headers: all });
  };

const TIMEOUT_SECONDS = 60;

/** How long a request to this server may take, and what ends it earlier. */
export const requestLimit = (
  { timeout_seconds = TIMEOUT_SECONDS }: Pick<McpServer, "timeout_seconds">,
  signal?: AbortSignal,
) => ({
  timeout: timeout_seconds * 1000,
  ...(signal && { signal }),
});
