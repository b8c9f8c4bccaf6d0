import type { AccessStore } from "./access-store.ts";
import type { Identified } from "./identified.ts";
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

/**
 * Makes the function that counts a principal's requests, where that is configured. Each costs a write, so it is off by
 * default; the limit of the gateway's stage always holds.
 *
 * @decided a fault while counting lets the request pass: the limit protects from too much use, not from wrong use
 * @returns undefined below the limit
 */
export function createLimit({ store, requestsPerMinute, now, onFault }: Options) {
  return async ({ user_id }: Principal): Promise<Over | undefined> => {
    if (requestsPerMinute === 0 || user_id === null) return undefined;
    const seconds = Math.floor(now() / 1000);
    const counted = await store()
      .then(({ countRequest }) => countRequest(user_id, seconds))
      .catch(onFault);
    if (!counted || counted.count <= requestsPerMinute) return undefined;
    const detail = `Too many requests: ${requestsPerMinute} a minute are allowed`;
    return {
      outcome: "throttled",
      detail,
      retry_after_seconds: Math.max(1, counted.ends_at - seconds),
    };
  };
}
