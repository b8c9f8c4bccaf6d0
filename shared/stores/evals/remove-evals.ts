import { absent, exists, updateItem, type Write } from "../../data/index.ts";
import type { Db } from "../db.ts";
import { purgePartition } from "../index-keys.ts";
import { removeListed } from "../listing/change-listed.ts";
import { evalDue, evalKey, readEvals, type StoredEval } from "./eval-item.ts";
import { evalListing } from "./list-evals.ts";

/**
 * Removes evaluations: no reader finds them any more, a worker that executes one stops, and their parts are purged
 * later, see `purgeEval`.
 *
 * @param mayRemove  evaluations that it refuses stay as they are
 * @param now        epoch seconds
 * @returns          ids of the removed ones
 */
export const removeEvals = (
  db: Db,
  ids: readonly string[],
  mayRemove: (record: StoredEval) => boolean,
  now: number,
): Promise<string[]> => removeListed(db, evalListing, removal, { ids, mayRemove }, now);

const removal = {
  read: readEvals,
  idOf: ({ id }: StoredEval) => id,
  /** It is in no list; the sweeper finds it until everything is purged. */
  tombstone: ({ id, user_id }: StoredEval, now: number): Write =>
    updateItem("evals", evalKey(id), {
      set: { removed_at: now, owner_key: purgePartition(user_id), ...evalDue.attributes(id, now) },
      remove: ["all_key"],
      guard: [exists, { removed_at: absent }],
    }),
};
