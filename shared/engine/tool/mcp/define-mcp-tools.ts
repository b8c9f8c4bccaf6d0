import type { Tool as Listed } from "@modelcontextprotocol/client";
import { type Clock, systemClock } from "../../../runtime/clock.ts";
import { noteDeclaration } from "../note-declaration.ts";
import type { AskingRun, Tool, ToolSource } from "../tool.ts";
import { checkRights } from "../tool-rights.ts";
import { connectMcp } from "./connect-mcp.ts";
import { type McpConnection, type McpServer, requestLimit, serverName } from "./mcp-server.ts";
import { cachedMcpSessions, type McpSessions } from "./mcp-session.ts";
import { type McpCalls, mcpTool } from "./mcp-tool.ts";

/** How long a process keeps a list of tools whose server does not say how long it may. */
const LIST_MS = 5 * 60 * 1000;
const LONGEST_LIST_MS = 24 * 60 * 60 * 1000;

/**
 * Tools of an MCP server, for `tool_sources` of an agent. The list is read when a run needs it, and then shared by the
 * runs of its user in this process for as long as the server says (five minutes where it says nothing, a day at most), or until it
 * says that the list has changed.
 *
 * @throws Error when the name of a secret cannot be one, or where a prefix is asked for without a name
 */
export function defineMcpTools<const Secrets extends string = never>(
  declared: McpServer<Secrets>,
  clock: Pick<Clock, "now"> = systemClock,
): ToolSource {
  // `headers` is given the secrets that are declared, which the types cannot express behind this point.
  const server = { ...declared, secrets: declared.secrets ?? [] } as McpConnection;
  const name = serverName(server);
  checkRights(name, server);
  if (server.on_collision === "prefix" && server.name === undefined)
    throw new Error(
      'on_collision: "prefix" puts the name of an MCP server before that of a tool; give it a name.',
    );
  const lists = new Map<string | null, List>();
  const sessions = cachedMcpSessions(
    () => connectMcp(server, () => lists.clear(), clock),
    // A program knows no users.
    (user) => (server.command === undefined ? user : null),
  );
  const read = (asking: AskingRun): List => {
    const list: List = {
      tools: listed(server, { asking, sessions, stillHas }, (ttlMs) => keep(list, ttlMs)),
    };
    for (const [other, { untilMs }] of lists) if (isOver(untilMs)) lists.delete(other);
    lists.set(asking.user_id, list);
    list.tools.catch(() => {
      if (lists.get(asking.user_id) === list) lists.delete(asking.user_id);
    });
    return list;
  };
  const keep = (list: List, ttlMs = LIST_MS): void => {
    list.untilMs = clock.now() + Math.min(Math.max(0, ttlMs), LONGEST_LIST_MS);
  };
  const isOver = (untilMs: number | undefined) => untilMs !== undefined && untilMs <= clock.now();
  const stillHas: McpCalls["stillHas"] = async (tool, asking) => {
    const names = new Set<string>();
    await listed(server, { asking, sessions, stillHas }, () => undefined, names);
    lists.delete(asking.user_id);
    return names.has(tool);
  };
  return noteDeclaration({
    name,
    secrets: server.secrets,
    ...(server.command !== undefined && { starts_program: true }),
    ...(server.on_collision === "prefix" && { collision_prefix: server.name }),
    // Several runs may wait for the same list, so none of them may abort it; each stops waiting by itself.
    list: (_signal, asking) => {
      const kept = lists.get(asking.user_id);
      return (kept && !isOver(kept.untilMs) ? kept : read(asking)).tools;
    },
  });
}

type List = {
  readonly tools: Promise<readonly Tool[]>;
  /** Epoch milliseconds; undefined while it is read. */
  untilMs?: number;
};

type Listing = Pick<McpCalls, "stillHas"> & { readonly asking: AskingRun; readonly sessions: McpSessions };

/**
 * @param keepFor  called with how long the list may be kept, in milliseconds; undefined where its server does not say
 * @param names    gets what the server calls its tools
 * @throws Error when a tool that the agent counts on is not there, or the error that kept the server from answering
 */
async function listed(
  server: McpConnection,
  { asking, sessions, stillHas }: Listing,
  keepFor: (ttlMs: number | undefined) => void,
  names = new Set<string>(),
): Promise<readonly Tool[]> {
  const { tools, ttlMs } = await sessions.request(asking, "safe", (client) =>
    client.listTools(undefined, { ...requestLimit(server), cacheMode: "refresh" }),
  );
  keepFor(typeof ttlMs === "number" ? ttlMs : undefined);
  for (const { name } of tools) names.add(name);
  const missing = server.include?.filter((name) => !names.has(name)) ?? [];
  if (missing.length > 0) throw new Error(`the server has no tool named ${missing.join(", ")}`);
  return tools
    .filter(({ name }: Listed) => server.include?.includes(name) ?? true)
    .sort((a: Listed, b: Listed) => (a.name < b.name ? -1 : 1))
    .map((tool) => mcpTool(tool, { server, sessions, stillHas }));
}
