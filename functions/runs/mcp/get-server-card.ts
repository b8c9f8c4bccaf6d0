import { Reply } from "../../../shared/http/handler.ts";
import { MCP_PATH, MCP_SERVER_CARD_PATH } from "../../../shared/routes/protocols/mcp-path.ts";
import type { McpServerCard } from "../../../shared/schemas/mcp/mcp-messages.ts";
import type { McpDeps } from "./mcp-deps.ts";

type Asked = { readonly origin?: string; readonly headers: Readonly<Record<string, string | undefined>> };

/** Of the server, as it names it to its clients. */
export const MCP_SERVER_VERSION = "1.0.0";

/** For five minutes, and for the pages of every host. */
const forEverybody = { "cache-control": "public, max-age=300", "access-control-allow-origin": "*" };
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
  return new Reply(200, JSON.stringify(card), { "content-type": type, vary: "Accept", ...forEverybody });
}

/**
 * Leads from the host to the card of its MCP server.
 *
 * @source docs/interface/platform.md 1.8
 */
export async function getAiCatalog({ origin = "" }: Pick<Asked, "origin">, { mcp }: McpDeps): Promise<Reply> {
  const address = mcp.publicUrl ?? origin;
  const identifier = `urn:air:${hostOf(address)}:mcp:${slug(mcp.osId)}`;
  const entries = [{ identifier, type: CARD, url: `${address}${MCP_SERVER_CARD_PATH}` }];
  const type = { "content-type": "application/ai-catalog+json" };
  return new Reply(200, JSON.stringify({ specVersion: "1.0", entries }), { ...type, ...forEverybody });
}

const cardOf = (url: string, osId: string): McpServerCard => ({
  $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
  // Names of servers begin with a domain, the widest part first.
  name: `${hostOf(url).split(".").reverse().join(".")}/${slug(osId)}`,
  title: osId,
  description: "Runs the agents, teams and workflows that the credential may run.",
  version: MCP_SERVER_VERSION,
  remotes: [{ type: "streamable-http", url: `${url}${MCP_PATH}` }],
});

const slug = (osId: string): string => osId.toLowerCase().replaceAll(/[^a-z0-9._-]+/g, "-");

/** The domain of an address; an address without one is that of one machine. */
function hostOf(url: string): string {
  const host = URL.canParse(url) ? new URL(url).hostname : "localhost";
  return /^[\d.]+$|:/.test(host) ? "local" : host;
}
