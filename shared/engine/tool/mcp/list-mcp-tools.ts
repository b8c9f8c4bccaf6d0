import type { Tool as Listed } from "@modelcontextprotocol/client";
import type { Clock } from "../../../runtime/clock.ts";
import type { AskingRun, Tool } from "../tool.ts";
import { connectMcp } from "./connect-mcp.ts";
import { type McpConnection, requestLimit } from "./mcp-server.ts";
import { cachedMcpSessions, type McpSessions } from "./mcp-session.ts";
import { type McpCalls, mcpTool } from "./mcp-tool.ts";

/** How long a process keeps a list of tools whose server does not say how long it may. */
const LIST_MS = 5 * 60 * 1000;
const LONGEST_LIST_MS = 24 * 60 * 60 * 1000;

export type McpLists = {
  /** The tools of a run's user, as they are kept, or as they are now. */
  readonly of: (asking: AskingRun) => Promise<readonly Tool[]>;
};

/** The lists of a server's tools that this process keeps, one for each user. */
export function mcpLists(server: McpConnection, clock: Pick<Clock, "now">): McpLists {
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
  return {
    of: (asking) => {
      const kept = lists.get(asking.user_id);
      return (kept && !isOver(kept.untilMs) ? kept : read(asking)).tools;
    },
  };
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
