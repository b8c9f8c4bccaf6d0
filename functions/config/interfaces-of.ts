import type { ConfigDeps } from "./config-deps.ts";

type Env = {
  readonly A2A_ENABLED: string;
  readonly A2A_PREFIX: string;
  /** Set where the interface is on. */
  readonly WHATSAPP?: unknown;
  readonly TELEGRAM?: unknown;
};

/**
 * The interfaces that are on beside the API itself.
 *
 * @source contract, a2a section 2; chat-webhooks
 */
export const interfacesOf = ({
  A2A_ENABLED,
  A2A_PREFIX,
  WHATSAPP,
  TELEGRAM,
}: Env): ConfigDeps["interfaces"] => [
  ...(A2A_ENABLED === "true" ? [{ type: "a2a", version: "1.0", route: A2A_PREFIX }] : []),
  ...(WHATSAPP ? [{ type: "whatsapp", version: "1.0", route: "/whatsapp" }] : []),
  ...(TELEGRAM ? [{ type: "telegram", version: "1.0", route: "/telegram" }] : []),
];
