import type { AccessStore } from "./access-store.ts";
import type { Identified } from "./identify/identified.ts";
import type { Principal } from "./principal.ts";

type Options = {
  readonly store: () => Promise<AccessStore>;
  /** 0 sets no limit. */
  readonly requestsPerMinute: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onFault: (cause: unknown) => void;
};

type Over = Extract<Identified, { outcome: "throttled" }>;

/** What one function instance knows of a principal's current minute. */
type Window = {
  /** Epoch seconds. */
  ends_at: number;
  /** Requests of all instances, as far as this one has written and read them. */
  total: number;
  /** Those of them that this instance has written. */
  written: number;
  /** Admitted here, and not written yet. */
  unwritten: number;
  isWriting: boolean;
};

const WINDOW_SECONDS = 60;
const MAX_CACHED = 10_000;
/** Requests that an instance admits before it writes for the first time; of a small limit a twentieth. */
const FIRST_BATCH = 20;
const SMALL_PART = 20;
/** An instance writes again after this part of its share of what is left. */
const PART_OF_SHARE = 10;

/**
 * Makes the function that counts a principal's requests. Each instance counts by itself and adds to the shared counter
 * in batches, and a principal that is over the limit is refused without a write until its minute ends:
 *
 *   20 requests ─▶ write, read the total ─▶ a tenth of this instance's share of the rest ─▶ write … ─▶ refuse
 *
 * So a principal that one instance serves is stopped exactly. With more instances the counter is passed by what they
 * have not written yet: 20 for each, and about a tenth of the limit together. A principal that makes fewer than 20
 * requests a minute at an instance costs no write there.
 *
 * @decided a fault while counting lets the request pass, as long as the instance itself has not seen too many: the limit
 *          protects from too much use, not from wrong use
 * @returns undefined below the limit
 */
export function createLimit(options: Options) {
  const { requestsPerMinute: limit, now } = options;
  const windowOf = createWindows();
  return async ({ user_id }: Principal): Promise<Over | undefined> => {
    if (limit === 0 || user_id === null) return undefined;
    const seconds = Math.floor(now() / 1000);
    const window = windowOf(user_id, seconds);
    if (window.total + window.unwritten >= limit) return over(window, limit, seconds);
    window.unwritten += 1;
    if (window.isWriting || window.unwritten < batchOf(window, limit)) return undefined;
    await write(window, user_id, seconds, options);
    return window.total > limit ? over(window, limit, seconds) : undefined;
  };
}

const over = ({ ends_at }: Window, limit: number, now: number): Over => ({
  outcome: "throttled",
  detail: `Too many requests: ${limit} a minute are allowed`,
  retry_after_seconds: Math.max(1, ends_at - now),
});

/** How many requests an instance admits before it writes them. */
function batchOf({ total, written }: Window, limit: number): number {
  const left = Math.max(1, limit - total);
  const least = Math.min(FIRST_BATCH, Math.ceil(limit / SMALL_PART), left);
  if (written === 0) return least;
  return Math.max(least, Math.floor((left * written) / total / PART_OF_SHARE));
}

/** While it is written, further requests count on top; where it cannot be written, this instance remembers it alone. */
async function write(
  window: Window,
  who: string,
  now: number,
  { store, onFault }: Pick<Options, "store" | "onFault">,
): Promise<void> {
  const count = window.unwritten;
  window.unwritten = 0;
  window.total += count;
  window.isWriting = true;
  const counted = await store()
    .then(({ countRequests }) => countRequests(who, count, now))
    .catch((cause: unknown) => {
      onFault(cause);
      return undefined;
    });
  window.isWriting = false;
  if (!counted) return;
  const isSameMinute = counted.ends_at === window.ends_at;
  window.written = isSameMinute ? window.written + count : count;
  window.total = counted.count;
  window.ends_at = counted.ends_at;
}

/** A principal's minute begins with its first request. */
function createWindows() {
  const windows = new Map<string, Window>();
  return (who: string, now: number): Window => {
    const known = windows.get(who);
    if (known && known.ends_at > now) return known;
    if (windows.size >= MAX_CACHED) removeEnded(windows, now);
    const ends_at = now + WINDOW_SECONDS;
    const window = { ends_at, total: 0, written: 0, unwritten: 0, isWriting: false };
    windows.set(who, window);
    return window;
  };
}

function removeEnded(windows: Map<string, Window>, now: number): void {
  for (const [who, { ends_at }] of windows) if (ends_at <= now) windows.delete(who);
  if (windows.size >= MAX_CACHED) windows.clear();
}
