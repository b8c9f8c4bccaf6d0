import { McpAnswer, McpMessage, ProtectedResource } from "../../schemas/mcp/mcp-messages.ts";
import type { Route } from "../route.ts";
import {
  AI_CATALOG_PATH,
  MCP_CATALOG_PATH,
  MCP_PATH,
  MCP_RESOURCE_PATH,
  MCP_SERVER_CARD_PATH,
} from "./mcp-path.ts";
import type { mcpOperations } from "./protocol-operations.ts";

const resource = {
  method: "GET",
  scopes: "public",
  tag: "mcp",
  response: ProtectedResource,
  summary: "Name the issuers whose tokens the MCP server accepts",
} as const;

const catalog = {
  method: "GET",
  scopes: "public",
  tag: "mcp",
  response: { mediaType: "application/ai-catalog+json" },
  summary: "Lead to the card of the MCP server, for clients that know the host alone",
} as const;

/** The MCP server. The family of runs serves it. */
export const mcpRoutes = {
  callMcp: {
    method: "POST",
    path: MCP_PATH,
    /** What a caller may do is decided tool by tool. */
    scopes: [],
    tag: "mcp",
    streams: "mcp",
    challenge: "protected-resource",
    headers: {
      "MCP-Protocol-Version": {
        description: "Version of the protocol that was agreed on",
        schema: {
          type: "string",
          enum: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"],
        },
        example: "2025-11-25",
      },
    },
    /** Faults are answered as JSON-RPC has them, so a handler reads the body. */
    body: { text: "application/json", reads: McpMessage },
    response: McpAnswer,
    also: { 202: null },
    refuses: [400, 404, 415],
    refusal: McpAnswer,
    example: {
      body: {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "run_agent", arguments: { agent_id: "assistant", message: "Where is my order?" } },
      },
    },
    summary: "Call the MCP server",
    description:
      "Streamable HTTP without sessions, so any instance answers: a call is answered as JSON or as a stream of server-sent events, a notification with 202. Tools: those that the credential may use.",
  },
  getMcpServerCard: {
    method: "GET",
    path: MCP_SERVER_CARD_PATH,
    scopes: "public",
    tag: "mcp",
    response: { mediaType: "application/mcp-server-card+json" },
    summary: "Say what the MCP server is called and where it is; its tools depend on the credential",
  },
  getAiCatalog: { ...catalog, path: AI_CATALOG_PATH },
  getMcpCatalog: { ...catalog, path: MCP_CATALOG_PATH },
  getMcpResource: { ...resource, path: MCP_RESOURCE_PATH },
  getMcpResourceOfPath: { ...resource, path: `${MCP_RESOURCE_PATH}${MCP_PATH}` },
} as const satisfies Record<(typeof mcpOperations)[number], Route>;
