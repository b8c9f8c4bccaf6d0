/** Whoever counts for longer than this has died: another one may count. */
export const COUNTING_MS = 30_000;

/**
 * How many jobs wait, as all processes share it: a count of the index, and the places that were taken since. A place is
 * taken before its job is written, under the condition that there is one, so the sum never passes the limit.
 *
 *   depth at most  =  taken + base        base = counted − taken when counting began
 */
export type QueueDepth = {
  /** Places taken, ever. */
  readonly taken: number;
  readonly base: number;
  /** Jobs that the index showed. */
  readonly counted: number;
  /** When counting them began, epoch milliseconds: names this reading. */
  readonly counted_at: number;
  /** Since when a process counts anew, epoch milliseconds. */
  readonly counting_at?: number | undefined;
};

/** Whether the places were taken, and the reading as it is then. */
export type TakenPlaces = { readonly taken: boolean; readonly depth: QueueDepth | undefined };

/** Counts jobs that wait, and keeps what was counted: of all users (null), or of one. */
export type DepthStore = {
  /** Reads every key of the index that it counts: half a read unit for each ten or so. */
  readonly count: (of: string | null) => Promise<number>;
  readonly read: (of: string | null) => Promise<QueueDepth | undefined>;
  /** Takes places, all of them or none. @param limit of waiting jobs; refused also when the reading was replaced */
  readonly take: (of: string | null, seen: QueueDepth, places: number, limit: number) => Promise<TakenPlaces>;
  /** @returns the reading when the caller is the one who counts anew; undefined when another process does */
  readonly begin: (of: string | null, seen: QueueDepth, now: number) => Promise<QueueDepth | undefined>;
  /** Replaces a reading. @returns the reading that is stored then, which may be another process's */
  readonly record: (of: string | null, counted: NewCount) => Promise<QueueDepth | undefined>;
};

export type NewCount = {
  readonly counted: number;
  /** When counting began, epoch milliseconds. */
  readonly counted_at: number;
  /** The reading as it was then; undefined where there was none of use. */
  readonly replaces: QueueDepth | undefined;
};
