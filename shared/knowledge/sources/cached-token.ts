import type { Clock } from "../../runtime/clock.ts";

/** What gives access, and until when, in epoch milliseconds. */
export type Token = { readonly value: string; readonly until_ms: number };

export type CachedToken = {
  readonly get: () => Promise<string>;
  /** It was refused: the next one is loaded anew. */
  readonly forget: () => void;
};

/** A token is not used in its last minute: the request takes its time. */
const SPARE_MS = 60_000;

/** Keeps a token as long as it serves. Whoever asks while it is loaded waits for the same one. */
export function cachedToken(load: () => Promise<Token>, clock: Clock): CachedToken {
  let kept: Promise<Token> | undefined;
  const forget = () => {
    kept = undefined;
  };
  const loaded = async () => {
    kept ??= load();
    try {
      return await kept;
    } catch (error) {
      forget();
      throw error;
    }
  };
  return {
    get: async () => {
      const token = await loaded();
      if (token.until_ms - SPARE_MS > clock.now()) return token.value;
      forget();
      return (await loaded()).value;
    },
    forget,
  };
}
