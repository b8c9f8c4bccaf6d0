/** Where the MCP server is. */
export const MCP_PATH = "/mcp";

/** What it is, for whoever has no credential yet: the place that the draft of server cards reserves. */
export const MCP_SERVER_CARD_PATH = `${MCP_PATH}/server-card`;

/** Where clients find out whose tokens it accepts. @source RFC 9728, section 3.1 */
export const MCP_RESOURCE_PATH = "/.well-known/oauth-protected-resource";
