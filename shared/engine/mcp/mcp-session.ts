import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Tool } from "../tool/tool.ts";

/** Values of secrets, by name. */
type SecretValues = Readonly<Record<string, string>>;

export type McpSession = {
  /**
   * Sends a request to the server, over one connection for all callers.
   *
   * @param secrets  as they are now; with others than before a new connection is opened
   * @param effect   what sending it twice would do
   */
  readonly request: <T>(
    secrets: SecretValues,
    effect: Tool["effect"],
    send: (client: Client) => Promise<T>,
  ) => Promise<T>;
};

/**
 * Caches a session with a server for as long as the server knows it. A server that has dropped the session answers 404, or 400 as
 * many do, and has done nothing, so the request is sent again in a new session.
 *
 * @source Model Context Protocol 2025-06-18, "Session Management"
 */
export function cachedMcpSession(connect: (secrets: SecretValues) => Promise<Client>): McpSession {
  let current: { readonly client: Promise<Client>; readonly openedWith: string } | undefined;
  const discard = (client: Promise<Client>) => {
    if (current?.client === client) current = undefined;
  };
  const connected = (secrets: SecretValues): Promise<Client> => {
    const openedWith = JSON.stringify(secrets);
    if (current?.openedWith === openedWith) return current.client;
    const client = connect(secrets);
    current = { client, openedWith };
    client.catch(() => discard(client));
    return client;
  };
  return {
    async request(secrets, effect, send) {
      const used = connected(secrets);
      const client = await used;
      try {
        return await send(client);
      } catch (error) {
        if (!isExpired(error, effect)) throw error;
        discard(used);
        await client.close();
        return send(await connected(secrets));
      }
    },
  };
}

/** A 400 may be about the request itself. One that would do harm twice is repeated only where the answer names the session. */
function isExpired(error: unknown, effect: Tool["effect"]): boolean {
  if (!(error instanceof Error)) return false;
  const code: unknown = Reflect.get(error, "code");
  return code === 404 || (code === 400 && (effect === "safe" || /session/i.test(error.message)));
}
