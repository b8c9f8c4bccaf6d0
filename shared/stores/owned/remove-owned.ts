import { deleteItem, exists, type Write } from "../../data/index.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { ownerPartition } from "../index-keys.ts";
import { listedRows } from "../listing/listed-rows.ts";
import { retryUntilWritten } from "../retry-until-written.ts";
import { changeOwned, newRecord } from "./change-owned.ts";
import { learningKind } from "./learning-item.ts";
import { type Owned, type OwnedKind, type OwnedRow, placeKey, recordKey } from "./owned.ts";

/** Most records of one transaction: each takes two of its hundred entries. */
const RECORDS_AT_A_TIME = 40;

/** Removes records of one owner; other ids are ignored. @returns how many it removed */
export async function removeOwned<Stored extends Owned, Row extends OwnedRow>(
  db: Db,
  kind: OwnedKind<Stored, Row>,
  owner: string | null,
  ids: readonly string[],
): Promise<number> {
  const distinct = [...new Set(ids)];
  let removed = 0;
  for (let from = 0; from < distinct.length; from += RECORDS_AT_A_TIME) {
    removed += await removeSome(db, kind, owner, distinct.slice(from, from + RECORDS_AT_A_TIME));
  }
  return removed;
}

async function removeSome<Stored extends Owned, Row extends OwnedRow>(
  db: Db,
  kind: OwnedKind<Stored, Row>,
  owner: string | null,
  ids: readonly string[],
): Promise<number> {
  const { table } = kind.listing;
  const tryOnce = async () => {
    const keys = ids.map((id) => recordKey(owner, id));
    const present = (await batchGet(db, db.tables[table], keys)).map(kind.read).map(kind.idOf);
    if (present.length === 0) return 0;
    const records = present.flatMap((id) => removals(kind, owner, id));
    const written = await changeOwned(db, { table, owner, by: -present.length, records });
    // After a lost race on one of them, the others are tried again.
    return written ? present.length : undefined;
  };
  return retryUntilWritten(
    tryOnce,
    () => new Error(`the ${table} of one owner were removed concurrently too often`),
  );
}

/**
 * The writes that remove a record; refused when it does not exist.
 *
 * @param seenAtMs  refused also when it was changed since then
 */
const removals = <Stored extends Owned, Row extends OwnedRow>(
  { listing: { table } }: OwnedKind<Stored, Row>,
  owner: string | null,
  id: string,
  seenAtMs?: number,
): Write[] => [
  deleteItem(table, recordKey(owner, id), seenAtMs === undefined ? exists : { changed_at_ms: seenAtMs }),
  deleteItem(table, placeKey(id)),
];

/** Removes records of any owner by id. Each owner's are removed in transactions of their own. */
export async function removeWherever<Stored extends Owned, Row extends OwnedRow>(
  db: Db,
  kind: OwnedKind<Stored, Row>,
  ids: readonly string[],
): Promise<void> {
  const distinct = [...new Set(ids)];
  const idOfPlace = new Map(distinct.map((id) => [placeKey(id).pk, id]));
  const places = await batchGet(db, db.tables[kind.listing.table], distinct.map(placeKey));
  const byOwner = Map.groupBy(places, ({ user_id }) => (typeof user_id === "string" ? user_id : null));
  for (const [owner, ownPlaces] of byOwner) {
    const found = ownPlaces.flatMap(({ pk }) => idOfPlace.get(String(pk)) ?? []);
    await removeOwned(db, kind, owner, found);
  }
}

/**
 * Replaces several records of an owner with one. The new one is written with the first removals: a crash in the middle
 * of many leaves some of the old ones beside it, and nothing is lost.
 *
 * @returns false when one of the others was changed or removed since; it and those after it then stay
 */
export async function replaceOwned<Stored extends Owned, Row extends OwnedRow>(
  db: Db,
  kind: OwnedKind<Stored, Row>,
  others: readonly Stored[],
  record: Stored,
): Promise<boolean> {
  const { table } = kind.listing;
  const { user_id: owner, changed_at_ms } = record;
  for (let from = 0; from < others.length; from += RECORDS_AT_A_TIME) {
    const some = others.slice(from, from + RECORDS_AT_A_TIME);
    const added = from === 0 ? newRecord(kind, record) : [];
    const removed = some.flatMap((other) => removals(kind, owner, kind.idOf(other), other.changed_at_ms));
    const by = (from === 0 ? 1 : 0) - some.length;
    const records = [...added, ...removed];
    const written = await changeOwned(db, { table, owner, by, writtenAtMs: changed_at_ms, records });
    if (!written) return false;
  }
  return true;
}

/** Removes what was learned about one session of a user; what was learned about the user stays. Idempotent. */
export async function removeSessionLearnings(db: Db, owner: string | null, sessionId: string): Promise<void> {
  const ids: string[] = [];
  const rows = listedRows(db, learningKind.listing, ownerPartition(owner), { forward: true });
  for await (const { learning_id, session_id } of rows) if (session_id === sessionId) ids.push(learning_id);
  await removeOwned(db, learningKind, owner, ids);
}
