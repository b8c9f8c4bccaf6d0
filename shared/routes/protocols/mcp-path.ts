/** Where the MCP server is. */
export const MCP_PATH = "/mcp";

/** What it is, for whoever has no credential yet: the place that the draft of server cards reserves. */
export const MCP_SERVER_CARD_PATH = `${MCP_PATH}/server-card`;

/** Which servers a host has: the place that the draft of discovery names, and the one before it. */
export const AI_CATALOG_PATH = "/.well-known/ai-catalog.json";
export const MCP_CATALOG_PATH = "/.well-known/mcp/catalog.json";

/** Where clients find out whose tokens it accepts. @source RFC 9728, section 3.1 */
export const MCP_RESOURCE_PATH = "/.well-known/oauth-protected-resource";
