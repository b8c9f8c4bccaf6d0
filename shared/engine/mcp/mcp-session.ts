import type { Client } from "@modelcontextprotocol/sdk/client/index.js";

export type McpSession = {
  /** Sends a request to the server, over one connection for all callers. */
  readonly request: <T>(send: (client: Client) => Promise<T>) => Promise<T>;
};

/**
 * Caches a session with a server for as long as the server knows it. A server that has dropped the session answers 404
 * and has done nothing, so the request is sent again in a new session.
 *
 * @source Model Context Protocol 2025-06-18, "Session Management"
 */
export function cachedMcpSession(connect: () => Promise<Client>): McpSession {
  let current: Promise<Client> | undefined;
  const discard = (client: Promise<Client>) => {
    if (current === client) current = undefined;
  };
  const connected = (): Promise<Client> => {
    if (current) return current;
    const connecting = connect();
    current = connecting;
    connecting.catch(() => discard(connecting));
    return connecting;
  };
  return {
    async request(send) {
      const used = connected();
      const client = await used;
      try {
        return await send(client);
      } catch (error) {
        if (!isExpired(error)) throw error;
        discard(used);
        await client.close();
        return send(await connected());
      }
    },
  };
}

const isExpired = (error: unknown): boolean => error instanceof Error && Reflect.get(error, "code") === 404;
