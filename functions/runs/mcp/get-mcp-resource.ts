import { Reply } from "../../../shared/http/handler.ts";
import { MCP_PATH } from "../../../shared/routes/protocols/mcp-path.ts";
import type { McpDeps } from "./mcp-deps.ts";

/** Scopes that the tools ask for, without those for single components. */
const scopes = [
  ...["agents", "teams", "workflows"].flatMap((kind) => [`${kind}:read`, `${kind}:run`]),
  "sessions:read",
  "knowledge:read",
];

/** Clients ask before they have a token, and each time they need one. */
const AN_HOUR = "public, max-age=3600";

/** @source RFC 9728, section 3.2 */
export async function getMcpResource(
  { origin = "" }: { readonly origin?: string },
  { mcp }: McpDeps,
): Promise<Reply> {
  const body = {
    resource: `${mcp.publicUrl ?? origin}${MCP_PATH}`,
    // The built-in issuer of a laptop has no address, and an empty list would have to be left out.
    ...(mcp.issuers.length > 0 && { authorization_servers: mcp.issuers }),
    bearer_methods_supported: ["header"],
    scopes_supported: scopes,
    resource_name: mcp.osId,
  };
  return new Reply(200, body, { "cache-control": AN_HOUR });
}
