import type { Clock } from "./clock.ts";

/** After this time a secret that was changed is in use everywhere. */
export const SECRET_CACHE_MS = 300_000;

/** Keeps what was read for a while. Concurrent calls share one read; a failed read is not kept. */
export function cachedValue<T>(
  read: () => Promise<T>,
  keptMs: number,
  clock: Pick<Clock, "now">,
): () => Promise<T> {
  let cached: { readonly value: Promise<T>; readonly until: number } | undefined;
  return () => {
    if (cached && cached.until > clock.now()) return cached.value;
    const value = read();
    const reading = { value, until: clock.now() + keptMs };
    cached = reading;
    value.catch(() => {
      if (cached === reading) cached = undefined;
    });
    return value;
  };
}
