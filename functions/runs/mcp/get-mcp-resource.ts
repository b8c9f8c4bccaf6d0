import { mcpScopes } from "../../../shared/auth/scopes/offered-scopes.ts";
import { Reply } from "../../../shared/http/handler.ts";
import { MCP_PATH } from "../../../shared/routes/protocols/mcp-path.ts";
import type { McpDeps } from "./mcp-deps.ts";

/** Clients ask before they have a token, and each time they need one. */
const AN_HOUR = "public, max-age=3600";

/** @source RFC 9728, section 3.2 */
export async function getMcpResource(
  { origin = "" }: { readonly origin?: string },
  { mcp }: McpDeps,
): Promise<Reply> {
  const address = mcp.publicUrl ?? origin;
  const servers = mcp.signsIn ? [address] : mcp.issuers;
  const body = {
    resource: `${address}${MCP_PATH}`,
    // An issuer without an address is not named, and an empty list would have to be left out.
    ...(servers.length > 0 && { authorization_servers: servers }),
    bearer_methods_supported: ["header"],
    scopes_supported: mcpScopes,
    resource_name: mcp.osId,
  };
  return new Reply(200, body, { "cache-control": AN_HOUR });
}
