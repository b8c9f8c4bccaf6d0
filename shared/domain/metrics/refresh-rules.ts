import { DAY_SECONDS, type UtcDay, utcDay } from "../utc-day.ts";

/** What the rules read of the current or the last refresh. Instants are epoch seconds. */
export type KnownRefresh = {
  readonly started_at: number;
  /** Absent while it runs. */
  readonly finished_at?: number | undefined;
  /** While it runs: when its process must have ended. */
  readonly busy_until?: number | undefined;
};

/**
 * A day is final when it was computed this long after its end: by then the runs of midnight have ended, and the index
 * shows every session.
 *
 * @decided the interface says "after it ended"
 */
const FINAL_AFTER_SECONDS = 3_600;

/** The last day whose figures are final when they are computed now. @param now epoch seconds */
export const lastFinalDay = (now: number): UtcDay => utcDay(now - FINAL_AFTER_SECONDS - DAY_SECONDS);

/** Figures younger than this are shown as they are. @source docs/interface/metrics.md 2.2 */
const FRESH_SECONDS = 60;
/** A long refresh is repeated less often: refreshing takes at most a twentieth of the time, and of the reads. */
const PAUSE_PER_SECOND = 20;

/** Whether reading the figures should bring them up to date first. @param now epoch seconds */
export function isRefreshDue(last: KnownRefresh | undefined, now: number): boolean {
  if (!last) return true;
  if (last.finished_at === undefined) return hasBrokenOff(last, now);
  const took = last.finished_at - last.started_at;
  return now - last.finished_at >= Math.max(FRESH_SECONDS, took * PAUSE_PER_SECOND);
}

/** Whether a refresh is recorded as running although its process has ended. */
export const hasBrokenOff = ({ finished_at, busy_until = 0 }: KnownRefresh, now: number): boolean =>
  finished_at === undefined && busy_until < now;
