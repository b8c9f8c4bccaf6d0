/** Partitions of an index by_due, so that items due in the same minute are not one hot key. */
const DUE_SHARDS = 4;

export const dueShards = (): string[] => Array.from({ length: DUE_SHARDS }, (_, shard) => `due#${shard}`);

/** @param digits  hexadecimal; the last four choose the shard, so they must be evenly distributed */
export const dueShardOf = (digits: string): string =>
  `due#${(Number.parseInt(digits.slice(-4), 16) || 0) % DUE_SHARDS}`;

const padded = (seconds: number): string => String(Math.ceil(seconds)).padStart(12, "0");

/** Sorts by time. @param at epoch seconds */
export const dueSort = (at: number, id: string): string => `${padded(at)}#${id}`;

/** Reads the time back; epoch seconds. */
export const dueAtOf = (due: string): number => Number(due.slice(0, due.indexOf("#")));

/** All items due at this instant or before sort before this. @param now epoch seconds */
export const dueUntil = (now: number): string => padded(now + 1);
