const PREFIX = "hop-";

/** Holds a job's lock between two workers, from the hand-off to the take-over. */
export const handOffToken = (hops: number): string => `${PREFIX}${hops}`;

/** Whether a lock is held by a hand-off's token. */
export const isHandOffToken = (lockedBy: string | null): boolean => lockedBy?.startsWith(PREFIX) ?? false;
