import type { Clock } from "../../../shared/runtime/clock.ts";
import type { Log } from "../../../shared/runtime/log.ts";
import type { Db } from "../../../shared/stores/db.ts";

/** Sessions of a slice: seconds to count, and some megabytes where each has a user of its own. */
export const SLICE_SIZE = 5_000;

export type RefresherDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** Sessions after which a day's count is saved. */
  readonly sliceSize: number;
};
