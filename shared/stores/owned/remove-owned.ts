import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { retryUntilWritten } from "../retry-until-written.ts";
import type { Write } from "../transact.ts";
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
    const entries = present.flatMap((id) => removalEntries(db, kind, owner, id));
    const { written } = await changeOwned(db, { table, owner, by: -present.length, entries });
    // After a lost race on one of them, the others are tried again.
    return written ? present.length : undefined;
  };
  return retryUntilWritten(
    tryOnce,
    () => new Error(`the ${table} of one owner were removed by others again and again`),
  );
}

/**
 * The entries that remove a record; they refuse when it does not exist.
 *
 * @param seenAtMs  they also refuse when it was changed since then
 */
export function removalEntries<Stored extends Owned, Row extends OwnedRow>(
  db: Db,
  { listing }: OwnedKind<Stored, Row>,
  owner: string | null,
  id: string,
  seenAtMs?: number,
): Write[] {
  const TableName = db.tables[listing.table];
  const condition =
    seenAtMs === undefined
      ? { ConditionExpression: "attribute_exists(pk)" }
      : {
          ConditionExpression: "changed_at_ms = :seen",
          ExpressionAttributeValues: { ":seen": seenAtMs },
        };
  return [
    { Delete: { TableName, Key: recordKey(owner, id), ...condition } },
    { Delete: { TableName, Key: placeKey(id) } },
  ];
}
