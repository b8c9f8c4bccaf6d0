import { exists } from "../../data/guard.ts";
import { deleteItem, type Write } from "../../data/writes.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { retryUntilWritten } from "../retry-until-written.ts";
import { changeOwned } from "./change-owned.ts";
import type { Owned, OwnedKind, OwnedRow } from "./owned.ts";
import { placeKey, recordKey } from "./owned-keys.ts";

/** Most records of one transaction: each takes two of its hundred entries. */
export const RECORDS_AT_A_TIME = 40;

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
    () => new Error(`the ${table} of one owner were removed by others again and again`),
  );
}

/**
 * The writes that remove a record; refused when it does not exist.
 *
 * @param seenAtMs  refused also when it was changed since then
 */
export const removals = <Stored extends Owned, Row extends OwnedRow>(
  { listing: { table } }: OwnedKind<Stored, Row>,
  owner: string | null,
  id: string,
  seenAtMs?: number,
): Write[] => [
  deleteItem(table, recordKey(owner, id), seenAtMs === undefined ? exists : { changed_at_ms: seenAtMs }),
  deleteItem(table, placeKey(id)),
];
