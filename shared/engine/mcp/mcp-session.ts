import type { Client } from "@modelcontextprotocol/sdk/client/index.js";

export type McpSession = {
  /** Asks the server something, over one connection for all who ask. */
  readonly ask: <T>(question: (client: Client) => Promise<T>) => Promise<T>;
};

/**
 * Keeps a session with a server for as long as the server knows it. A server that has forgotten a session says 404
 * and has done nothing, so the question is put to it again in a new one.
 *
 * @source Model Context Protocol 2025-06-18, "Session Management"
 */
export function cachedMcpSession(connect: () => Promise<Client>): McpSession {
  let current: Promise<Client> | undefined;
  const forget = (client: Promise<Client>) => {
    if (current === client) current = undefined;
  };
  const connected = (): Promise<Client> => {
    if (current) return current;
    const connecting = connect();
    current = connecting;
    connecting.catch(() => forget(connecting));
    return connecting;
  };
  return {
    async ask(question) {
      const used = connected();
      const client = await used;
      try {
        return await question(client);
      } catch (error) {
        if (!isForgotten(error)) throw error;
        forget(used);
        await client.close();
        return question(await connected());
      }
    },
  };
}

const isForgotten = (error: unknown): boolean => error instanceof Error && Reflect.get(error, "code") === 404;
