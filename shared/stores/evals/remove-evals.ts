import type { Db } from "../db.ts";
import { CHANGES_AT_A_TIME, changeListed } from "../listing/change-listed.ts";
import { backOff, type Write } from "../transact.ts";
import type { StoredEval } from "./eval-item.ts";
import { dueAttributes, evalKey } from "./eval-keys.ts";
import { evalListing } from "./eval-listing.ts";
import { readEvals } from "./read-evals.ts";

const TRIES = 8;

/**
 * Takes evaluations out of sight: nobody finds them any more, whoever works on one stops, and what belongs to them goes
 * later, see `purgeEval`.
 *
 * @param mayRemove  what it refuses stays as it is
 * @param now        epoch seconds
 * @returns          ids of what was removed
 */
export async function removeEvals(
  db: Db,
  ids: readonly string[],
  mayRemove: (record: StoredEval) => boolean,
  now: number,
): Promise<string[]> {
  const removed: string[] = [];
  for (let from = 0; from < ids.length; from += CHANGES_AT_A_TIME) {
    removed.push(...(await removeSome(db, ids.slice(from, from + CHANGES_AT_A_TIME), mayRemove, now)));
  }
  return removed;
}

async function removeSome(
  db: Db,
  ids: readonly string[],
  mayRemove: (record: StoredEval) => boolean,
  now: number,
): Promise<string[]> {
  for (let tryNumber = 1; tryNumber <= TRIES; tryNumber += 1) {
    const records = (await readEvals(db, ids)).filter(mayRemove);
    if (records.length === 0) return [];
    const changes = records.map((before) => ({
      before,
      entries: [buryEntry(db, before, now)],
      after: undefined,
    }));
    const { written } = await changeListed(db, evalListing, changes, now);
    if (written) return records.map(({ id }) => id);
    // Somebody else removed one of them meanwhile: the others are tried again.
    await backOff(tryNumber);
  }
  throw new Error("the evaluations were removed by others again and again");
}

/** The tombstone is in no list; the sweeper finds it until everything is gone. */
function buryEntry(db: Db, { id }: StoredEval, now: number): Write {
  const { due_key, due } = dueAttributes(id, now);
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
