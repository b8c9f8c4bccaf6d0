import type { Db } from "../db.ts";
import type { Partition } from "../listing/index-keys.ts";
import { backOff, transact, type Write } from "../transact.ts";
import type { StoredSession } from "./session-item.ts";
import { sessionIndexKeys } from "./session-keys.ts";
import { counted, getTally, replaceTally, type Tally } from "./tally.ts";

/** A write of one session after which lists count it differently. */
export type ListedChange = {
  /** As it was read. */
  readonly session: StoredSession;
  /** Refuses when the session is no longer as it was read. */
  readonly entry: Write;
  /** As it is counted afterwards; undefined when it is no longer listed. */
  readonly after: StoredSession | undefined;
};

const TRIES = 8;
/** Sessions of one transaction at most: each may be of another owner, and has a tally of its own then. */
export const CHANGES_AT_A_TIME = 40;

/**
 * Changes sessions and the tallies that counted them, together or not at all.
 *
 * @param now  epoch seconds
 * @returns    false when one of the sessions was no longer as it was read: nothing was written
 */
export async function changeListed(db: Db, changes: readonly ListedChange[], now: number): Promise<boolean> {
  for (let tryNumber = 1; tryNumber <= TRIES; tryNumber += 1) {
    const tallies = await tallyEntries(db, changes, now);
    const result = await transact(db, () => [...changes.map(({ entry }) => entry), ...tallies]);
    if (result.written) return true;
    if (result.entry < changes.length) return false;
    await backOff(tryNumber);
  }
  throw new Error("the tallies of the sessions were changed by others again and again");
}

/** Every tally is written, even where its counts stay: a list that is just advancing it must read the index anew. */
function tallyEntries(db: Db, changes: readonly ListedChange[], now: number): Promise<Write[]> {
  const byPartition = new Map<Partition, ListedChange[]>();
  for (const change of changes) {
    const { owner_key, all_key } = sessionIndexKeys(change.session);
    for (const partition of [owner_key, all_key]) {
      byPartition.set(partition, [...(byPartition.get(partition) ?? []), change]);
    }
  }
  return Promise.all(
    [...byPartition].map(async ([partition, its]) => {
      const tally = await getTally(db, partition);
      const counts = its.reduce((sums, change) => recounted(sums, change, tally), tally.counts);
      return replaceTally(db, partition, tally, { through: tally.through, counts, changed_at: now });
    }),
  );
}

function recounted(counts: Tally["counts"], { session, after }: ListedChange, { through }: Tally) {
  if (sessionIndexKeys(session).opened > through) return counts;
  const without = counted(counts, session, -1);
  return after ? counted(without, after, 1) : without;
}
