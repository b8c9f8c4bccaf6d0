/** Between two checks at least; locks that go stale within this time are found together. */
const SPACING_SECONDS = 2;
/** The clocks of two functions may differ by this; a check that came too early would find nothing. */
const SKEW_SECONDS = 1;
/** A claim is in the index after this; a check that comes earlier may miss it. */
const INDEXED_AFTER_SECONDS = 2;
/** Between two rounds of the sweeper. */
const ROUND_SECONDS = 60;

/**
 * When the locks have to be looked at next: as soon as one of them can be stale. A heartbeat comes three times in a
 * lock grace, so while workers live every check finds all locks fresh, and the next one is most of a grace later,
 * however many jobs there are.
 *
 *   lock    ├─♥────────♥────────♥──x dead ├─── grace ───┤
 *   checks            ╵ fresh         ╵ fresh            ╵ stale
 *
 * @param lockedAt  when the locks were taken or refreshed; epoch seconds
 * @param now       epoch seconds
 * @returns         whole epoch seconds; undefined when nothing is locked
 */
export function planLockCheck(
  lockedAt: readonly number[],
  now: number,
  lockGraceSeconds: number,
): number | undefined {
  if (lockedAt.length === 0) return undefined;
  const earliest = lockedAt.reduce((least, at) => Math.min(least, at));
  return Math.max(now + SPACING_SECONDS, Math.ceil(earliest + lockGraceSeconds) + SKEW_SECONDS);
}

/**
 * Whether a lock that is taken just after a round of the sweeper could be stale for long before the next: only then
 * whoever takes it asks for a check.
 */
export const isStaleBeforeRound = (lockGraceSeconds: number): boolean => lockGraceSeconds < ROUND_SECONDS;

/** Between which instants another check has to come to serve instead of one at `needed`; epoch seconds. */
export const servingInstead = (needed: number, now: number) => ({
  earliest: now + INDEXED_AFTER_SECONDS,
  latest: needed + SPACING_SECONDS,
});
