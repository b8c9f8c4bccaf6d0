import { joined, type Parts, resultOf, type Transacted, transact, type Write } from "../../data/index.ts";
import type { Db } from "../db.ts";
import type { Partition } from "../index-keys.ts";
import { retryUntilWritten } from "../retry-until-written.ts";
import type { Listed, Listing } from "./listing.ts";
import { counted, getTally, replaceTally, type Tally } from "./tally.ts";

/** A write of one record after which lists count it differently. */
export type ListedChange<Stored, Name extends string = string> = {
  /** As it was read. */
  readonly before: Stored;
  /** Its writes; they refuse when it is no longer as it was read. */
  readonly parts: Parts<Name>;
  /** As it is counted afterwards; undefined when it is no longer listed. */
  readonly after: Stored | undefined;
};

/** Most records of one transaction: each may be in other partitions of both indexes, and with them tallies, and have an audit record. */
const CHANGES_AT_A_TIME = 25;

/**
 * Changes records and the tallies that counted them, together or not at all.
 *
 * @param now  epoch seconds
 * @returns    as `transact`, of the parts of all changes
 */
export async function changeListed<Stored, Row extends Listed, Name extends string>(
  db: Db,
  listing: Listing<Stored, Row>,
  changes: readonly ListedChange<Stored, Name>[],
  now: number,
): Promise<Transacted<Name>> {
  const parts = joined(changes.map((change) => change.parts));
  return retryUntilWritten(
    async () => {
      const tallies = await tallyEntries(db, listing, changes, now);
      return resultOf(parts, await transact(db, joined<string>([parts, { tallies }])));
    },
    () => new Error(`the tallies of the ${listing.plural} were changed concurrently too often`),
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
      return replaceTally(table, partition, tally, { through: tally.through, counts, changed_at: now });
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

/** How records of one table are removed from lists. */
export type Removal<Stored> = {
  readonly read: (db: Db, ids: readonly string[]) => Promise<Stored[]>;
  readonly idOf: (record: Stored) => string;
  /** The write that replaces a record by its tombstone; refused when there is one. @param now epoch seconds */
  readonly tombstone: (record: Stored, now: number) => Write;
  /** The audit record of it, where each removal has one of its own. */
  readonly audited?: (db: Db, record: Stored) => Write;
};

/**
 * Removes records: afterwards no reader finds them, and their parts are still to be purged.
 *
 * @param mayRemove  records that it refuses stay as they are
 * @param now        epoch seconds
 * @returns          ids of the records that were removed
 */
export async function removeListed<Stored, Row extends Listed>(
  db: Db,
  listing: Listing<Stored, Row>,
  removal: Removal<Stored>,
  { ids, mayRemove }: { readonly ids: readonly string[]; readonly mayRemove: (record: Stored) => boolean },
  now: number,
): Promise<string[]> {
  const removed: string[] = [];
  for (let from = 0; from < ids.length; from += CHANGES_AT_A_TIME) {
    const some = ids.slice(from, from + CHANGES_AT_A_TIME);
    const tryOnce = async () => {
      const records = (await removal.read(db, some)).filter(mayRemove);
      if (records.length === 0) return [];
      const changes = records.map((before) => ({
        before,
        parts: { record: removal.tombstone(before, now), audit: removal.audited?.(db, before) },
        after: undefined,
      }));
      const { written } = await changeListed(db, listing, changes, now);
      // After a lost race on one of them, the others are tried again.
      return written ? records.map(removal.idOf) : undefined;
    };
    const gaveUp = () => new Error(`the ${listing.plural} were changed concurrently too often`);
    removed.push(...(await retryUntilWritten(tryOnce, gaveUp)));
  }
  return removed;
}
