import type { Db } from "../db.ts";
import { mergeSorted } from "../jobs/merge-sorted.ts";
import type { Partition } from "./index-keys.ts";
import { listedRows } from "./listed-rows.ts";
import type { Indexed, Listed } from "./listing.ts";

/** Index rows of several partitions in the order of the index; pages are read as they are consumed. */
export function mergedRows<Row extends Listed>(
  db: Db,
  listing: Indexed<Row>,
  partitions: readonly Partition[],
  range: Parameters<typeof listedRows>[3],
): AsyncGenerator<Row, undefined> {
  const streams = partitions.map((partition) => listedRows(db, listing, partition, range));
  return mergeSorted(streams, (a, b) => (range.forward ? a.opened < b.opened : a.opened > b.opened));
}
