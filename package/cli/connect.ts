import { type Client, createClient, PlatformError } from "../../client/index.ts";
import { openIdentity } from "../../local/identity.ts";
import { ADMIN_ONLY } from "../../shared/auth/scopes/admin-scope.ts";
import { UsageError } from "./usage-error.ts";

/** Which platform a command is about. */
export type Place = {
  /** Address of a deployment; this machine's platform when absent. */
  readonly url?: string;
};

export const dataDir = (): string => process.env.DATA_DIR || ".local";
export const localAddress = (): string => `http://127.0.0.1:${process.env.PORT || 7777}`;
export const localToken = (sub = "admin"): string =>
  openIdentity(dataDir()).token({ sub, scopes: [ADMIN_ONLY] });

/** @throws UsageError when there is none */
export function tokenOfDeployment(): string {
  const { AGENT_PLATFORM_TOKEN } = process.env;
  if (!AGENT_PLATFORM_TOKEN)
    throw new UsageError("A deployment wants a token: set AGENT_PLATFORM_TOKEN to it.");
  return AGENT_PLATFORM_TOKEN;
}

export const addressOf = ({ url }: Place): string => url?.replace(/\/+$/, "") ?? localAddress();

/** A client of the platform that a command is about. @throws UsageError without the token of a deployment */
export function connect(place: Place): Client {
  const token = place.url === undefined ? localToken() : tokenOfDeployment();
  return createClient({ baseUrl: addressOf(place), token });
}

/**
 * Does something with a platform.
 *
 * @throws UsageError where it cannot be reached, or refuses
 */
export async function reaching<T>(place: Place, work: (client: Client) => Promise<T>): Promise<T> {
  try {
    return await work(connect(place));
  } catch (error) {
    if (error instanceof PlatformError) throw new UsageError(`${error.message}`);
    if (error instanceof TypeError && error.message === "fetch failed") {
      const start = place.url === undefined ? "; npx agent-platform dev starts it" : "";
      throw new UsageError(`Nothing answers at ${addressOf(place)}${start}.`);
    }
    throw error;
  }
}
