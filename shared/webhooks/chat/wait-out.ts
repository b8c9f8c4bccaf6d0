import type { Clock } from "../../runtime/clock.ts";

const LONGEST_WAIT_MS = 20_000;

/**
 * Waits while a platform takes no calls, unless that is long: then the call is to be tried again later.
 *
 * @param blockedUntil  epoch milliseconds
 * @returns             seconds that are left; 0 where the call may be made
 */
export async function waitOut(blockedUntil: number, clock: Clock): Promise<number> {
  const waitMs = blockedUntil - clock.now();
  if (waitMs > LONGEST_WAIT_MS) return Math.ceil(waitMs / 1000);
  if (waitMs > 0) await clock.sleep(waitMs);
  return 0;
}
