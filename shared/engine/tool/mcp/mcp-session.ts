import type { Client } from "@modelcontextprotocol/client";
import type { AskingRun, Tool } from "../tool.ts";
import { asked, statusOf } from "./connect-mcp.ts";

export type McpSessions = {
  /**
   * Sends a request to the server, over one connection for all runs of a user.
   *
   * @param asking  with other secrets than before a new connection is opened
   * @param effect  what sending it twice would do
   */
  readonly request: <T>(
    asking: AskingRun,
    effect: Tool["effect"],
    send: (client: Client) => Promise<T>,
  ) => Promise<T>;
};

/** How many users' sessions a process keeps; the one that was used longest ago gives way to another. */
const MAX_SESSIONS = 50;

type Session = { readonly client: Promise<Client>; readonly openedWith: string };

/**
 * Caches a user's session with a server for as long as the server knows it. A server that has dropped the session answers 404, or 400 as
 * many do, and has done nothing, so the request is sent again in a new session. Since version 2026-07-28 there is nothing to forget.
 *
 * @param connect    opens a session; the run that is asking is in `asked`
 * @param sessionOf  whose session a user's requests go to
 * @source Model Context Protocol 2025-06-18, "Session Management"
 */
export function cachedMcpSessions(
  connect: () => Promise<Client>,
  sessionOf: (user: string | null) => string | null,
): McpSessions {
  const sessions = new Map<string | null, Session>();
  const discard = (user: string | null, client: Promise<Client>): void => {
    if (sessions.get(user)?.client === client) sessions.delete(user);
  };
  const connected = ({ user_id: user, secrets }: AskingRun): Promise<Client> => {
    const user_id = sessionOf(user);
    const openedWith = JSON.stringify(secrets);
    const known = sessions.get(user_id);
    sessions.delete(user_id);
    const session = known?.openedWith === openedWith ? known : { client: connect(), openedWith };
    sessions.set(user_id, session);
    forgetOldest(sessions);
    if (session !== known) {
      const forget = () => discard(user_id, session.client);
      session.client.then((client) => {
        client.onclose = forget; // a program may end at any time
      }, forget);
    }
    return session.client;
  };
  return {
    request: (asking, effect, send) =>
      asked.run(asking, async () => {
        const used = connected(asking);
        const client = await used;
        try {
          return await send(client);
        } catch (error) {
          if (client.getProtocolEra() === "modern" || !isExpired(error, effect)) throw error;
          discard(sessionOf(asking.user_id), used);
          await client.close();
          return send(await connected(asking));
        }
      }),
  };
}

/** Of sessions in the order in which they were last used. It may still answer a request, so the server ends it. */
function forgetOldest(sessions: Map<string | null, Session>): void {
  const [oldest] = sessions.keys();
  if (sessions.size > MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest);
}

/** A 400 may be about the request itself. One that would do harm twice is repeated only where the answer names the session. */
function isExpired(error: unknown, effect: Tool["effect"]): boolean {
  const status = statusOf(error);
  if (status !== 400) return status === 404;
  return effect === "safe" || (error instanceof Error && /session/i.test(error.message));
}
