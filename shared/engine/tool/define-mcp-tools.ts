import { type Clock, systemClock } from "../../runtime/clock.ts";
import type { McpConnection, McpServer } from "./mcp-server.ts";
import { cachedMcpSessions, connectMcp } from "./mcp-session.ts";
import { listMcpTools } from "./mcp-tool.ts";
import { noteDeclaration } from "./note-declaration.ts";
import type { Tool, ToolSource } from "./tool.ts";
import { checkRights } from "./tool-rights.ts";

/** How long a process caches a list of tools. */
const LIST_CACHE_MS = 60 * 1000;

/**
 * Tools of an MCP server, for `tool_sources` of an agent. The list is read when a run needs it, and then shared by the
 * runs of its user in this process for a minute, or until the server says that it has changed.
 *
 * @throws Error when the name of a secret cannot be one
 */
export function defineMcpTools<const Secrets extends string = never>(
  declared: McpServer<Secrets>,
  clock: Pick<Clock, "now"> = systemClock,
): ToolSource {
  // `headers` is given the secrets that are declared, which the types cannot express behind this point.
  const server = { ...declared, secrets: declared.secrets ?? [] } as McpConnection;
  const name = server.name === undefined ? "an MCP server" : `the MCP server ${server.name}`;
  checkRights(name, server);
  const lists = new Map<string | null, List>();
  const sessions = cachedMcpSessions(() => connectMcp(server, () => lists.clear()));
  return noteDeclaration({
    name,
    secrets: server.secrets,
    // Several runs may wait for the same list, so none of them may abort it; each stops waiting by itself.
    list: (_signal, asking) => {
      const user = asking.user_id;
      const cached = lists.get(user);
      if (cached && clock.now() < cached.untilMs) return cached.tools;
      const list = { tools: listMcpTools(server, sessions, asking), untilMs: clock.now() + LIST_CACHE_MS };
      for (const [other, { untilMs }] of lists) if (untilMs <= clock.now()) lists.delete(other);
      lists.set(user, list);
      list.tools.catch(() => {
        if (lists.get(user) === list) lists.delete(user);
      });
      return list.tools;
    },
  });
}

type List = { readonly tools: Promise<readonly Tool[]>; readonly untilMs: number };
