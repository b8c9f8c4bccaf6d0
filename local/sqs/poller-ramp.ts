/** @source Lambda developer guide, scaling of SQS event sources: five batches at first, 300 more each minute, up to 1,250 */
const FIRST = 5;
const MORE_A_MINUTE = 300;
const MOST = 1250;

/**
 * How many batches of a queue are under way at most: they grow while messages wait, and begin anew when nothing does.
 *
 * @param pace  how many times faster than on AWS they grow
 * @returns     at a time in epoch milliseconds
 */
export function pollerRamp(pace: number): (now: number, isBusy: boolean) => number {
  let since: number | undefined;
  return (now, isBusy) => {
    if (!isBusy) since = undefined;
    else since ??= now;
    const minutes = ((now - (since ?? now)) * pace) / 60_000;
    return Math.min(MOST, FIRST + Math.floor(MORE_A_MINUTE * minutes));
  };
}

/** How long until one batch more may be under way. */
export const oneMoreMs = (pace: number): number => 60_000 / MORE_A_MINUTE / pace;
