import type { Clock } from "../../runtime/clock.ts";
import type { CachedToken, Token } from "./cached-token.ts";

/** A request as it is sent. */
export type Signed = { readonly url: string; readonly headers?: Readonly<Record<string, string>> };

/** What gives access to a source. */
export type Access = {
  /** @throws SourceFault when there is none to be had */
  readonly sign: (url: URL) => Promise<Signed>;
  /** It was refused: it may have been replaced, so the next request gets it anew. */
  readonly forget: () => void;
};

/** What sources need of the outside. */
export type SourcePorts = {
  /** Hosts that may be asked although their address is not public. */
  readonly allowedHosts: readonly string[];
  /** The text of a secret. */
  readonly readSecret: (name: string) => Promise<string>;
  readonly clock: Clock;
};

export const publicAccess: Access = { sign: async (url) => ({ url: url.href }), forget: () => {} };

export const bearerAccess = ({ get, forget }: CachedToken): Access => ({
  sign: async (url) => ({ url: url.href, headers: { authorization: `Bearer ${await get()}` } }),
  forget,
});

/** How long a secret is used before it is read again. */
const SECRET_MS = 300_000;

/** A secret that gives access as it is. */
export async function secretAsToken({ readSecret, clock }: SourcePorts, name: string): Promise<Token> {
  return { value: (await readSecret(name)).trim(), until_ms: clock.now() + SECRET_MS };
}
