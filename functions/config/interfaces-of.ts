import type { ConfigDeps } from "./config-deps.ts";

type Env = {
  readonly A2A_ENABLED: string;
  readonly A2A_PREFIX: string;
  readonly AGUI_ENABLED: string;
  readonly UI_CHAT_ENABLED: string;
  readonly MCP_ENABLED: string;
  readonly OPENAI_ENABLED: string;
  /** Set where the interface is on. */
  readonly WHATSAPP?: unknown;
  readonly TELEGRAM?: unknown;
  readonly SLACK?: unknown;
};

/**
 * The interfaces that are on beside the API itself.
 *
 * @source docs/interface/platform.md 1.2
 */
export const interfacesOf = ({
  A2A_ENABLED,
  A2A_PREFIX,
  AGUI_ENABLED,
  UI_CHAT_ENABLED,
  MCP_ENABLED,
  OPENAI_ENABLED,
  WHATSAPP,
  TELEGRAM,
  SLACK,
}: Env): ConfigDeps["interfaces"] => [
  ...(A2A_ENABLED === "true" ? [{ type: "a2a", version: "1.0", route: A2A_PREFIX }] : []),
  ...(AGUI_ENABLED === "true" ? [{ type: "agui", version: "1.0", route: "/agui" }] : []),
  ...(UI_CHAT_ENABLED === "true" ? [{ type: "chat", version: "1.0", route: "/chat" }] : []),
  ...(MCP_ENABLED === "true" ? [{ type: "mcp", version: "1.0", route: "/mcp" }] : []),
  ...(OPENAI_ENABLED === "true" ? [{ type: "openai", version: "1.0", route: "/v1" }] : []),
  ...(WHATSAPP ? [{ type: "whatsapp", version: "1.0", route: "/whatsapp" }] : []),
  ...(TELEGRAM ? [{ type: "telegram", version: "1.0", route: "/telegram" }] : []),
  ...(SLACK ? [{ type: "slack", version: "1.0", route: "/slack" }] : []),
];
