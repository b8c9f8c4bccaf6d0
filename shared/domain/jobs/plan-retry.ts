import type { FailureCause } from "./failure-cause.ts";

/** What follows a failed execution. */
export type RetryPlan =
  | { readonly retry: "never" }
  | {
      readonly retry: "later";
      /** Whole seconds from now. */
      readonly after_seconds: number;
    };

/**
 * What no other execution can change: a refused request or credential, a component that is gone. Everything else uses
 * the attempts that are left, timeouts and faults of the platform too: a further attempt resumes after the last saved
 * step.
 *
 * @source docs/interface/queue.md 4.1
 */
const incurable: ReadonlySet<FailureCause> = new Set(["input", "permission"]);

/** The longest wait, as a multiple of the base. */
const MAX_DELAY_FACTOR = 10;

/**
 * Decides whether a failed execution is retried, and when: a random wait below a limit that doubles with every
 * attempt.
 *
 * @param attempt  the execution that failed, counted from 1
 * @param ceiling  the last attempt that may be made
 * @param random   in [0, 1)
 */
export function planRetry(
  cause: FailureCause,
  attempt: number,
  ceiling: number,
  baseDelaySeconds: number,
  random: number,
): RetryPlan {
  if (incurable.has(cause) || attempt >= ceiling) return { retry: "never" };
  const limit = Math.min(baseDelaySeconds * 2 ** (attempt - 1), baseDelaySeconds * MAX_DELAY_FACTOR);
  return { retry: "later", after_seconds: Math.floor(random * limit) };
}
