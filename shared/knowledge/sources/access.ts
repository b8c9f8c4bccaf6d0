import type { Clock } from "../../runtime/clock.ts";
import type { CachedToken, Token } from "./cached-token.ts";

/** A request as it is sent. */
export type Signed = { readonly url: string; readonly headers?: Readonly<Record<string, string>> };

/** Credentials of a source. */
export type Access = {
  /** @throws SourceFault when no credential can be obtained */
  readonly sign: (url: URL) => Promise<Signed>;
  /** Drops a refused credential: it may have been replaced, so the next request loads it again. */
  readonly invalidate: () => void;
};

/** What sources need from outside. */
export type SourcePorts = {
  /** Hosts that may be called although their address is not public. */
  readonly allowedHosts: readonly string[];
  /** The text of a secret. */
  readonly readSecret: (name: string) => Promise<string>;
  readonly clock: Clock;
};

export const publicAccess: Access = { sign: async (url) => ({ url: url.href }), invalidate: () => {} };

export const bearerAccess = ({ get, invalidate }: CachedToken): Access => ({
  sign: async (url) => ({ url: url.href, headers: { authorization: `Bearer ${await get()}` } }),
  invalidate,
});

/** How long a secret is used before it is read again. */
const SECRET_MS = 300_000;

/** A secret that is itself the token. */
export async function secretAsToken({ readSecret, clock }: SourcePorts, name: string): Promise<Token> {
  return { value: (await readSecret(name)).trim(), until_ms: clock.now() + SECRET_MS };
}
