import type { Db } from "../db.ts";
import { changeOwned } from "./change-owned.ts";
import { newRecord } from "./create-owned.ts";
import type { Owned, OwnedKind, OwnedRow } from "./owned.ts";
import { RECORDS_AT_A_TIME, removals } from "./remove-owned.ts";

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
