import type { McpServer } from "./mcp-server.ts";

const TIMEOUT_SECONDS = 60;

/** How long a request to this server may take, and what ends it earlier. */
export const requestLimit = (
  { timeout_seconds = TIMEOUT_SECONDS }: Pick<McpServer, "timeout_seconds">,
  signal?: AbortSignal,
) => ({
  timeout: timeout_seconds * 1000,
  ...(signal && { signal }),
});
