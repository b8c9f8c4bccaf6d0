import type { Agent } from "../define/agent.ts";
import type { RunFault } from "../model/model-fault.ts";

/** A run holds its process while it waits, so a service that asks for longer fails it; a queued run comes back later. */
const LONGEST_WAIT_SECONDS = 60;

type Settings = Pick<Agent, "retries" | "delay_between_retries" | "exponential_backoff">;

/**
 * How long to wait before a failed model call is made again.
 *
 * @param failures  how often this call has failed, counted from 1
 * @returns milliseconds; undefined when it is not made again
 * @decided  Only what may pass by itself is tried again, and never before the moment that the service named.
 */
export function waitBeforeRetry(
  settings: Settings,
  failures: number,
  { again }: RunFault,
): number | undefined {
  if (!again || failures > settings.retries) return undefined;
  const factor = settings.exponential_backoff ? 2 ** (failures - 1) : 1;
  const own = Math.min(settings.delay_between_retries * factor, LONGEST_WAIT_SECONDS);
  const seconds = Math.max(own, again.after_seconds ?? 0);
  return seconds > LONGEST_WAIT_SECONDS ? undefined : seconds * 1000;
}
