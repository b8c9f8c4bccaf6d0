import { Reply } from "../../../shared/http/handler.ts";
import { MCP_PATH } from "../../../shared/routes/protocols/mcp-path.ts";
import type { McpServerCard } from "../../../shared/schemas/mcp/mcp-messages.ts";
import type { McpDeps } from "./mcp-deps.ts";

type Asked = { readonly origin?: string; readonly headers: Readonly<Record<string, string | undefined>> };

/** Of the server, as it names it to its clients. */
export const MCP_SERVER_VERSION = "1.0.0";

const FIVE_MINUTES = "public, max-age=300";
/** The draft's type, and the one before it; who names neither gets the first. */
const [CARD, EARLIER] = ["application/mcp-server-card+json", "application/mcp-server+json"];

/**
 * Says where the MCP server is and what it is called. No tools: which there are depends on the credential.
 *
 * @source docs/interface/platform.md 1.7
 */
export async function getMcpServerCard({ origin = "", headers }: Asked, { mcp }: McpDeps): Promise<Reply> {
  const accepted = headers.accept ?? "";
  const type = accepted.includes(EARLIER) && !accepted.includes(CARD) ? EARLIER : CARD;
  const card = cardOf(mcp.publicUrl ?? origin, mcp.osId);
  const cached = { "cache-control": FIVE_MINUTES, vary: "Accept", "access-control-allow-origin": "*" };
  return new Reply(200, JSON.stringify(card), { "content-type": type, ...cached });
}

const cardOf = (url: string, osId: string): McpServerCard => ({
  $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
  name: `${reversedHost(url)}/${osId.toLowerCase().replaceAll(/[^a-z0-9._-]+/g, "-")}`,
  title: osId,
  description: "Runs the agents, teams and workflows that the credential may run.",
  version: MCP_SERVER_VERSION,
  remotes: [{ type: "streamable-http", url: `${url}${MCP_PATH}` }],
});

/** Names of servers begin with a domain, the widest part first. */
function reversedHost(url: string): string {
  const host = URL.canParse(url) ? new URL(url).hostname : "localhost";
  return /^[\d.]+$|:/.test(host) ? "local" : host.split(".").reverse().join(".");
}
