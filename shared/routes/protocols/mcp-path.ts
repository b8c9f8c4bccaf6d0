/** Where the MCP server is. */
export const MCP_PATH = "/mcp";

/** Where clients find out whose tokens it accepts. @source RFC 9728, section 3.1 */
export const MCP_RESOURCE_PATH = "/.well-known/oauth-protected-resource";
