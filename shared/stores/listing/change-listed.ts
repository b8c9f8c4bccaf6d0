import type { Db } from "../db.ts";
import { retryUntilWritten } from "../retry-until-written.ts";
import { type Transacted, transact, type Write } from "../transact.ts";
import type { Partition } from "./index-keys.ts";
import type { Listed, Listing } from "./listing.ts";
import { counted, getTally, replaceTally, type Tally } from "./tally.ts";

/** A write of one record after which lists count it differently. */
export type ListedChange<Stored> = {
  /** As it was read. */
  readonly before: Stored;
  /** Its writes; they refuse when it is no longer as it was read. */
  readonly entries: readonly Write[];
  /** As it is counted afterwards; undefined when it is no longer listed. */
  readonly after: Stored | undefined;
};

/** Most records of one transaction: each may have another owner, and with it another tally. */
export const CHANGES_AT_A_TIME = 40;

/**
 * Changes records and the tallies that counted them, together or not at all.
 *
 * @param now  epoch seconds
 * @returns    as `transact`: the position of the first of the changes' entries that refused, counted over all of them
 */
export async function changeListed<Stored, Row extends Listed>(
  db: Db,
  listing: Listing<Stored, Row>,
  changes: readonly ListedChange<Stored>[],
  now: number,
): Promise<Transacted> {
  const entries = changes.flatMap((change) => change.entries);
  return retryUntilWritten(
    async () => {
      const tallies = await tallyEntries(db, listing, changes, now);
      const result = await transact(db, () => [...entries, ...tallies]);
      return result.written || result.entry < entries.length ? result : undefined;
    },
    () => new Error(`the tallies of the ${listing.plural} were changed by others again and again`),
  );
}

/** Every tally is written, even if its counts stay: a list that is just advancing it must read the index again. */
function tallyEntries<Stored, Row extends Listed>(
  db: Db,
  listing: Listing<Stored, Row>,
  changes: readonly ListedChange<Stored>[],
  now: number,
): Promise<Write[]> {
  const { table, placeOf, otherPartitions = () => [] } = listing;
  const byPartition = new Map<Partition, ListedChange<Stored>[]>();
  for (const change of changes) {
    const { owner_key, all_key } = placeOf(change.before);
    for (const partition of [owner_key, all_key, ...otherPartitions(change.before)]) {
      byPartition.set(partition, [...(byPartition.get(partition) ?? []), change]);
    }
  }
  return Promise.all(
    [...byPartition].map(async ([partition, ownChanges]) => {
      const tally = await getTally(db, table, partition);
      const counts = ownChanges.reduce(
        (sums, change) => recounted(listing, sums, change, tally),
        tally.counts,
      );
      return replaceTally(db, table, partition, tally, { through: tally.through, counts, changed_at: now });
    }),
  );
}

function recounted<Stored, Row extends Listed>(
  { placeOf, countKey }: Listing<Stored, Row>,
  counts: Tally["counts"],
  { before, after }: ListedChange<Stored>,
  { through }: Tally,
) {
  if (placeOf(before).opened > through) return counts;
  const without = counted(counts, countKey(before), -1);
  return after ? counted(without, countKey(after), 1) : without;
}
