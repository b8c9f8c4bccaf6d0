const FIRST_MS = 250;
const LONGEST_MS = 8_000;
/** A longer `Retry-After` is left to the caller: a daily budget names the hours until midnight. */
const LONGEST_RETRY_AFTER_SECONDS = 30;

/**
 * Milliseconds before a request is sent again. The whole pause is random, so that clients that failed together do not
 * come back together.
 *
 * @param failures    how often it has failed, from 1
 * @param retryAfter  seconds that the platform asked for
 * @returns undefined where the platform asked for more than half a minute
 */
export function pauseBefore(failures: number, retryAfter: number | undefined): number | undefined {
  const random = Math.random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1));
  if (retryAfter === undefined) return random;
  return retryAfter > LONGEST_RETRY_AFTER_SECONDS ? undefined : retryAfter * 1000 + random;
}

/** Waits. @throws the signal's reason when it aborts */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end, { once: true });
    if (signal?.aborted) end();
  });
}
