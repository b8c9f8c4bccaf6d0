import type { Write } from "../../data/writes.ts";
import type { Db } from "../db.ts";
import { retryUntilWritten } from "../retry-until-written.ts";
import { CHANGES_AT_A_TIME, changeListed } from "./change-listed.ts";
import type { Listed, Listing } from "./listing.ts";

/** How records of one table are removed from lists. */
export type Removal<Stored> = {
  readonly read: (db: Db, ids: readonly string[]) => Promise<Stored[]>;
  readonly idOf: (record: Stored) => string;
  /** The write that replaces a record by its tombstone; refused when there is one. @param now epoch seconds */
  readonly tombstone: (record: Stored, now: number) => Write;
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
        parts: { record: removal.tombstone(before, now) },
        after: undefined,
      }));
      const { written } = await changeListed(db, listing, changes, now);
      // After a lost race on one of them, the others are tried again.
      return written ? records.map(removal.idOf) : undefined;
    };
    const gaveUp = () => new Error(`the ${listing.plural} were changed by others again and again`);
    removed.push(...(await retryUntilWritten(tryOnce, gaveUp)));
  }
  return removed;
}
