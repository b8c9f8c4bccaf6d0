import { type Clock, systemClock } from "../../../runtime/clock.ts";
import { noteDeclaration } from "../note-declaration.ts";
import type { ToolSource } from "../tool.ts";
import { checkRights } from "../tool-rights.ts";
import type { McpLists } from "./list-mcp-tools.ts";
import { type McpConnection, type McpServer, serverName } from "./mcp-server.ts";

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
  let opened: Promise<McpLists> | undefined;
  // What lists and calls tools is a chunk of its own, which only runs of such agents load.
  const open = async () => (await import("./list-mcp-tools.ts")).mcpLists(server, clock);
  return noteDeclaration({
    name,
    secrets: server.secrets,
    ...(server.command !== undefined && { starts_program: true }),
    ...(server.on_collision === "prefix" && { collision_prefix: server.name }),
    // Several runs may wait for the same list, so none of them may abort it; each stops waiting by itself.
    list: async (_signal, asking) => {
      opened ??= open();
      return (await opened).of(asking);
    },
  });
}
