import type { Db } from "../db.ts";
import type { Write } from "../transact.ts";
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
  const { written } = await changeOwned(db, {
    table: kind.listing.table,
    owner: record.user_id,
    by: 1,
    writtenAtMs: record.changed_at_ms,
    entries: newRecordEntries(db, kind, record),
  });
  return written;
}

/** The entries that create a record; they refuse when its id is taken. */
export function newRecordEntries<Stored extends Owned, Row extends OwnedRow>(
  db: Db,
  { listing, idOf, shape }: OwnedKind<Stored, Row>,
  record: Stored,
): Write[] {
  const TableName = db.tables[listing.table];
  const id = idOf(record);
  const { user_id } = record;
  const ConditionExpression = "attribute_not_exists(pk)";
  return [
    { Put: { TableName, Item: { ...placeKey(id), user_id }, ConditionExpression } },
    {
      Put: {
        TableName,
        Item: { ...recordKey(user_id, id), ...record, ...recordPlace(id, record), shape },
        ConditionExpression,
      },
    },
  ];
}
