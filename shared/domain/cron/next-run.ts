import type { Cron } from "./cron.ts";
import { daysOfMonth } from "./days-of-month.ts";
import { instantOf, offsetAt, type WallTime, wallTimeAt } from "./local-time.ts";

/** Every combination of a day and a weekday recurs within this, leap days across the year 2100 too. */
const HORIZON_MONTHS = 12 * 41;
/** Clocks never go back further than this. */
const FOLD_MS = 3 * 3_600_000;

/**
 * When a schedule fires next, by the rules of EventBridge Scheduler: a local time that is skipped when clocks go
 * forward is left out, and one that occurs twice counts the first time.
 *
 * @param after  epoch seconds; the result is later
 * @param zone   as `canonicalZone` gives it
 * @returns      epoch seconds; undefined when it never fires
 */
export function nextRun(cron: Cron, zone: string, after: number): number | undefined {
  const afterMs = after * 1000;
  const earliest = earliestAfter(afterMs, zone);
  for (const wall of wallTimes(cron, earliest)) {
    const ms = instantOf(wall, zone);
    if (ms !== undefined && ms > afterMs) return Math.floor(ms / 1000);
  }
  return undefined;
}

/** After clocks have gone back, local times occur again that are earlier than the present one. */
function earliestAfter(afterMs: number, zone: string): WallTime {
  const wentBack = offsetAt(afterMs - FOLD_MS, zone) > offsetAt(afterMs, zone);
  return wallTimeAt(afterMs, zone) - (wentBack ? FOLD_MS : 0);
}

/** The local times that an expression matches, from one on. */
function* wallTimes(cron: Cron, earliest: WallTime): Generator<WallTime> {
  const start = new Date(earliest);
  const firstMonth = start.getUTCFullYear() * 12 + start.getUTCMonth();
  for (let count = firstMonth; count < firstMonth + HORIZON_MONTHS; count += 1) {
    const [year, month] = [Math.floor(count / 12), (count % 12) + 1];
    if (!cron.months.includes(month)) continue;
    for (const day of daysOfMonth(cron, year, month)) {
      const midnight = Date.UTC(year, month - 1, day);
      if (midnight + 86_400_000 > earliest) yield* timesOfDay(cron, midnight, earliest);
    }
  }
}

function* timesOfDay({ hours, minutes }: Cron, midnight: WallTime, earliest: WallTime): Generator<WallTime> {
  for (const hour of hours) {
    for (const minute of minutes) {
      const wall = midnight + (hour * 60 + minute) * 60_000;
      if (wall >= earliest) yield wall;
    }
  }
}
