const DAY_SECONDS = 86_400;

/** The UTC day of an instant, as a number that grows by one a day. @param ms epoch milliseconds */
export const dayOf = (ms: number): number => Math.floor(ms / 1000 / DAY_SECONDS);

/**
 * When a trace is deleted: all traces of one day at once, so that counts by day stay exact.
 *
 * @param startMs  epoch milliseconds
 * @returns        epoch seconds
 */
export const expiryOf = (startMs: number, retentionDays: number): number =>
  (dayOf(startMs) + 1 + retentionDays) * DAY_SECONDS;

/** The first day whose traces still exist. @param now epoch seconds */
export const firstDay = (now: number, retentionDays: number): number => dayOf(now * 1000) - retentionDays;

/** @returns epoch milliseconds */
export const startOfDay = (day: number): number => day * DAY_SECONDS * 1000;
