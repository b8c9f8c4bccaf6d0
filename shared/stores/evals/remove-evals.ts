import type { Db } from "../db.ts";
import { removeListed } from "../listing/remove-listed.ts";
import type { Write } from "../transact.ts";
import type { StoredEval } from "./eval-item.ts";
import { evalDue, evalKey } from "./eval-keys.ts";
import { evalListing } from "./eval-listing.ts";
import { readEvals } from "./read-evals.ts";

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
  tombstone: (db: Db, record: StoredEval, now: number) => tombstoneEntry(db, record, now),
};

/** The tombstone is in no list; the sweeper finds it until everything is purged. */
function tombstoneEntry(db: Db, { id }: StoredEval, now: number): Write {
  const { due_key, due } = evalDue.attributes(id, now);
  return {
    Update: {
      TableName: db.tables.evals,
      Key: evalKey(id),
      UpdateExpression:
        "SET removed_at = :now, due_key = :due_key, due = :due REMOVE owner_key, all_key, opened",
      ConditionExpression: "attribute_exists(pk) AND attribute_not_exists(removed_at)",
      ExpressionAttributeValues: { ":now": now, ":due_key": due_key, ":due": due },
    },
  };
}
