import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { McpConnection, McpContext, McpServer } from "./mcp-server.ts";
import type { Tool } from "./tool.ts";

/** Values of secrets, by name. */
type SecretValues = Readonly<Record<string, string>>;

export type McpSession = {
  /**
   * Sends a request to the server, over one connection for all callers.
   *
   * @param secrets  as they are now; with others than before a new connection is opened
   * @param effect   what sending it twice would do
   */
  readonly request: <T>(
    secrets: SecretValues,
    effect: Tool["effect"],
    send: (client: Client) => Promise<T>,
  ) => Promise<T>;
};

/**
 * Caches a session with a server for as long as the server knows it. A server that has dropped the session answers 404, or 400 as
 * many do, and has done nothing, so the request is sent again in a new session.
 *
 * @source Model Context Protocol 2025-06-18, "Session Management"
 */
export function cachedMcpSession(connect: (secrets: SecretValues) => Promise<Client>): McpSession {
  let current: { readonly client: Promise<Client>; readonly openedWith: string } | undefined;
  const discard = (client: Promise<Client>) => {
    if (current?.client === client) current = undefined;
  };
  const connected = (secrets: SecretValues): Promise<Client> => {
    const openedWith = JSON.stringify(secrets);
    if (current?.openedWith === openedWith) return current.client;
    const client = connect(secrets);
    current = { client, openedWith };
    client.catch(() => discard(client));
    return client;
  };
  return {
    async request(secrets, effect, send) {
      const used = connected(secrets);
      const client = await used;
      try {
        return await send(client);
      } catch (error) {
        if (!isExpired(error, effect)) throw error;
        discard(used);
        await client.close();
        return send(await connected(secrets));
      }
    },
  };
}

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
export async function connectMcp(
  server: McpConnection,
  context: McpContext<string>,
  toolsChanged: () => void,
): Promise<Client> {
  const [{ Client }, { StreamableHTTPClientTransport }, { ToolListChangedNotificationSchema }] =
    await Promise.all([
      import("@modelcontextprotocol/sdk/client/index.js"),
      import("@modelcontextprotocol/sdk/client/streamableHttp.js"),
      import("@modelcontextprotocol/sdk/types.js"),
    ]);
  const client = new Client({ name: "agent-platform", version: "1" });
  client.setNotificationHandler(ToolListChangedNotificationSchema, toolsChanged);
  const headers = await server.headers?.(context);
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    fetch: fetchWithoutEventStream,
    ...(headers && { requestInit: { headers } }),
  });
  await client.connect(transport, requestLimit(server));
  return client;
}

/**
 * The protocol lets a client keep a GET open for messages that the server sends on its own. Nothing here reads them,
 * and a function that is frozen between two runs cannot keep it open; so the GET gets 405, as from a server without it.
 */
const fetchWithoutEventStream: typeof fetch = async (url, init) =>
  init?.method === "GET" ? new Response(null, { status: 405 }) : fetch(url, init);

const TIMEOUT_SECONDS = 60;

/** How long a request to this server may take, and what ends it earlier. */
export const requestLimit = (
  { timeout_seconds = TIMEOUT_SECONDS }: Pick<McpServer, "timeout_seconds">,
  signal?: AbortSignal,
) => ({
  timeout: timeout_seconds * 1000,
  ...(signal && { signal }),
});
