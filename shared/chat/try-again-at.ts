/** How long an answer is tried to be delivered. */
const KEPT_SECONDS = 86_400;
/** Waits after the first tries; after that the last one. */
const WAITS = [5, 15, 60, 120, 300, 600, 900];

/** Longer waits are the sweeper's, which comes once a minute. */
export const SHORT_SECONDS = 30;

type Tries = {
  /** Epoch seconds. */
  readonly now: number;
  /** When the platform took nothing for the first time. */
  readonly since: number;
  /** Earlier tries. */
  readonly times: number;
  /** The platform's own wish. */
  readonly afterSeconds: number;
  /** After this the platform accepts no answer any more; epoch seconds. */
  readonly ends: number | undefined;
};

/** When a delivery is tried again, in epoch seconds; undefined where it is given up. */
export function tryAgainAt({ now, since, times, afterSeconds, ends = Infinity }: Tries): number | undefined {
  const last = Math.min(since + KEPT_SECONDS, ends);
  if (now >= last) return undefined;
  const wait = Math.max(afterSeconds, WAITS[Math.min(times, WAITS.length - 1)] ?? 0);
  // The last try is at the end, not some minutes before it.
  return Math.min(now + wait, Math.max(last, now + afterSeconds));
}
