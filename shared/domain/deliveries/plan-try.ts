/**
 * Waits after each failed try, in seconds. Together they last about a day.
 *
 *   5 s · 30 s · 2 min · 10 min · 30 min · 1 h · 2 h · 4 h · 8 h · 8 h
 */
export const RETRY_WAITS_SECONDS = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800] as const;

/** Tries of one message at most. */
export const MAX_TRIES = RETRY_WAITS_SECONDS.length + 1;

/** Of a wait, up or down: receivers that failed together are not tried again together. */
const JITTER = 0.1;

/** A `Retry-After` counts up to here. */
const MAX_RETRY_AFTER_SECONDS = 3_600;

/** The result of one try. */
export type TryResult =
  | { readonly accepted: true }
  | {
      readonly accepted: false;
      /** Set where another try cannot succeed. */
      readonly isFinal?: boolean;
      /** What the receiver asked for. */
      readonly retryAfterSeconds?: number | undefined;
    };

export type AfterTry =
  | { readonly status: "delivered" }
  | { readonly status: "failed" }
  | { readonly status: "pending"; readonly afterSeconds: number };

/**
 * Decides how a delivery goes on after a try.
 *
 * @param tries   made so far, this one included
 * @param random  in [0, 1)
 */
export function planAfterTry(result: TryResult, tries: number, random: number): AfterTry {
  if (result.accepted) return { status: "delivered" };
  const wait = RETRY_WAITS_SECONDS[tries - 1];
  if (result.isFinal || wait === undefined) return { status: "failed" };
  const jittered = wait * (1 + JITTER * (2 * random - 1));
  const asked = Math.min(result.retryAfterSeconds ?? 0, MAX_RETRY_AFTER_SECONDS);
  return { status: "pending", afterSeconds: Math.ceil(Math.max(jittered, asked)) };
}

/** An endpoint that has accepted nothing for so long is disabled. */
export const DISABLED_AFTER_SECONDS = 5 * 86_400;
