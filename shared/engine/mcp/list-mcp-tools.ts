import type { Tool as Listed } from "@modelcontextprotocol/sdk/types.js";
import type { Tool } from "../tool/tool.ts";
import type { McpConnection, McpContext } from "./mcp-server.ts";
import type { McpSession } from "./mcp-session.ts";
import { mcpTool } from "./mcp-tool.ts";
import { requestLimit } from "./request-limit.ts";

/** A list that never ends is a fault of its server. No model could choose among so many tools. */
const MAX_PAGES = 20;

/** @throws Error when a tool that the agent counts on is not there, or the error that kept the server from answering */
export async function listMcpTools(
  server: McpConnection,
  session: McpSession,
  context: McpContext<string>,
): Promise<readonly Tool[]> {
  const listed = await listAll(server, session, context);
  const missing = server.include?.filter((name) => !listed.some((tool) => tool.name === name)) ?? [];
  if (missing.length > 0) throw new Error(`the server has no tool named ${missing.join(", ")}`);
  return listed
    .filter(({ name }) => server.include?.includes(name) ?? true)
    .map((tool) => mcpTool(tool, server, session));
}

async function listAll(
  server: McpConnection,
  session: McpSession,
  { secrets }: McpContext<string>,
): Promise<Listed[]> {
  const { ListToolsResultSchema } = await import("@modelcontextprotocol/sdk/types.js");
  const found: Listed[] = [];
  let cursor: string | undefined;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const { tools, nextCursor } = await session.request(secrets, "safe", (client) =>
      client.request({ method: "tools/list", params }, ListToolsResultSchema, requestLimit(server)),
    );
    found.push(...tools);
    if (nextCursor === undefined) return found;
    cursor = nextCursor;
  }
  throw new Error(`the server lists more than ${MAX_PAGES} pages of tools`);
}
