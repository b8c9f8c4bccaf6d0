/** Where time comes from. Everything that needs the time receives a clock, so that a test can move it. */
export type Clock = {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop);
        resolve();
      }, ms);
      signal?.addEventListener("abort", stop, { once: true });
    }),
};

/**
 * Does something once so much time has passed.
 *
 * @returns clears it: then it is not done any more
 */
export function after(clock: Pick<Clock, "sleep">, ms: number, act: () => void): () => void {
  const cleared = new AbortController();
  const { signal } = cleared;
  const sleeping = clock.sleep(ms, signal).catch(() => undefined); // cleared
  void sleeping.then(() => signal.aborted || act());
  return () => cleared.abort();
}

/** Whole epoch seconds, the unit of every `_at` field on the wire. */
export function epochSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000);
}
