import { isNew } from "../../data/guard.ts";
import { putItem, type Write } from "../../data/writes.ts";
import type { Db } from "../db.ts";
import { changeOwned } from "./change-owned.ts";
import type { Owned, OwnedKind, OwnedRow } from "./owned.ts";
import { placeKey, recordKey, recordPlace } from "./owned-keys.ts";

/**
 * Creates a record.
 *
 * @returns false when any owner's record has its id
 */
export async function createOwned<Stored extends Owned, Row extends OwnedRow>(
  db: Db,
  kind: OwnedKind<Stored, Row>,
  record: Stored,
): Promise<boolean> {
  return changeOwned(db, {
    table: kind.listing.table,
    owner: record.user_id,
    by: 1,
    writtenAtMs: record.changed_at_ms,
    records: newRecord(kind, record),
  });
}

/** The writes that create a record; refused when its id is taken. */
export function newRecord<Stored extends Owned, Row extends OwnedRow>(
  { listing: { table }, idOf, shape }: OwnedKind<Stored, Row>,
  record: Stored,
): Write[] {
  const id = idOf(record);
  const { user_id } = record;
  return [
    putItem(table, { ...placeKey(id), user_id }, isNew),
    putItem(table, { ...recordKey(user_id, id), ...record, ...recordPlace(id, record), shape }, isNew),
  ];
}
