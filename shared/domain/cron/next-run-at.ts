import { nextRun } from "./next-run.ts";
import { isOnDemand, type Timing, timingOf } from "./timing-of.ts";

/**
 * When a stored schedule fires next.
 *
 * @param after  epoch seconds; the result is later
 * @returns      epoch seconds; null when it never fires
 */
export function nextRunAt(schedule: Timing, after: number): number | null {
  if (isOnDemand(schedule)) return null;
  const { cron, zone } = timingOf(schedule);
  return nextRun(cron, zone, after) ?? null;
}
