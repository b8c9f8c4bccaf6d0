import type { Agent } from "../define/agent.ts";
import type { RunFault } from "../model/model-fault.ts";

/** A waiting run occupies its process. If a service asks for longer, the run fails; a queued one is retried later. */
const MAX_WAIT_SECONDS = 60;

type Settings = Pick<Agent, "retries" | "delay_between_retries" | "exponential_backoff">;

/**
 * How long to wait before a failed model call is retried.
 *
 * @param failures  how often this call has failed, counted from 1
 * @returns milliseconds; undefined when it is not retried
 * @decided  Only failures that may be temporary are retried, and never earlier than the service asks.
 */
export function waitBeforeRetry(
  settings: Settings,
  failures: number,
  { again }: RunFault,
): number | undefined {
  if (!again || failures > settings.retries) return undefined;
  const factor = settings.exponential_backoff ? 2 ** (failures - 1) : 1;
  const configured = Math.min(settings.delay_between_retries * factor, MAX_WAIT_SECONDS);
  const seconds = Math.max(configured, again.after_seconds ?? 0);
  return seconds > MAX_WAIT_SECONDS ? undefined : seconds * 1000;
}
