import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { McpConnection, McpContext } from "./mcp-server.ts";
import { requestLimit } from "./request-limit.ts";

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
