import { MCP_PATH } from "../../shared/routes/protocols/mcp-path.ts";
import type { RouteTable } from "../../shared/routes/route.ts";

/**
 * The interfaces for other systems' clients, as far as their routes are served.
 *
 * @param served  route tables, by family
 */
export function servedProtocols(served: Readonly<Record<string, RouteTable>>) {
  const isServed = (operation: string) => Object.values(served).some((table) => operation in table);
  const enabled = isServed("callMcp");
  return {
    mcp: {
      enabled,
      path: enabled ? MCP_PATH : null,
      oauth: isServed("authorizeApp"),
    },
    doors: {
      agui: isServed("runAgui"),
      chat: isServed("runAgentChat"),
      openai: isServed("createOpenaiResponse"),
      a2a: isServed("listCards"),
    },
  };
}
