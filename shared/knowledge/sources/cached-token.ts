import type { Clock } from "../../runtime/clock.ts";

/** A credential and when it expires, in epoch milliseconds. */
export type Token = { readonly value: string; readonly until_ms: number };

export type CachedToken = {
  readonly get: () => Promise<string>;
  /** Drops a refused token: the next call loads another. */
  readonly invalidate: () => void;
};

/** A token is not used in its last minute: it could expire during the request. */
const SPARE_MS = 60_000;

/** Caches a token until it expires. Calls while it is loading wait for the same one. */
export function cachedToken(load: () => Promise<Token>, clock: Clock): CachedToken {
  let cached: Promise<Token> | undefined;
  const invalidate = () => {
    cached = undefined;
  };
  const loaded = async () => {
    cached ??= load();
    try {
      return await cached;
    } catch (error) {
      invalidate();
      throw error;
    }
  };
  return {
    get: async () => {
      const token = await loaded();
      if (token.until_ms - SPARE_MS > clock.now()) return token.value;
      invalidate();
      return (await loaded()).value;
    },
    invalidate,
  };
}
