import { exists, isNew, putItem, resultOf, transact, updateItem, type Write } from "../../data/index.ts";
import type { TableName } from "../../settings/table-env.ts";
import type { Db } from "../db.ts";
import { retryUntilWritten } from "../retry-until-written.ts";
import {
  addToCounters,
  getOwnerSummary,
  type Owned,
  type OwnedKind,
  type OwnedRow,
  type OwnerSummary,
  placeKey,
  recordKey,
  recordPlace,
  replaceOwnerSummary,
} from "./owned.ts";

/** A change of one owner's records. */
export type OwnerChange = {
  readonly table: TableName;
  readonly owner: string | null;
  /** By how much the number of records changes. */
  readonly by: number;
  /** Epoch milliseconds of what is written; absent when records are only removed. */
  readonly writtenAtMs?: number;
  /** The writes of the records; each is refused when its record is not in the state that `by` assumes. */
  readonly records: readonly Write[];
};

const TRIES = 20;

/**
 * Changes records of one owner together with their counters, all or nothing. Only changes of the same owner conflict.
 *
 * @returns false when one of `records` was refused
 */
export async function changeOwned(db: Db, change: OwnerChange): Promise<boolean> {
  const { table, owner, records } = change;
  const tryOnce = async () => {
    const seen = await getOwnerSummary(db, table, owner);
    const next = summaryAfter(seen, change);
    const by = { records: change.by, owners: owner === null ? 0 : ownerDelta(seen, next) };
    const countsChange = by.records !== 0 || by.owners !== 0;
    const result = await transact(db, (tryNumber) => ({
      records,
      summary: replaceOwnerSummary(table, owner, seen, next),
      counters: countsChange ? addToCounters(table, { owner, by, tryNumber }) : undefined,
    }));
    return resultOf({ records }, result)?.written;
  };
  const others = `the ${table} of one owner were changed concurrently too often`;
  return retryUntilWritten(tryOnce, () => new Error(others), TRIES);
}

/** Never below 0: the records refuse before that. */
function summaryAfter(seen: OwnerSummary | undefined, { by, writtenAtMs = 0 }: OwnerChange): OwnerSummary {
  return {
    records: Math.max(0, (seen?.records ?? 0) + by),
    changed_at_ms: Math.max(seen?.changed_at_ms ?? 0, writtenAtMs),
  };
}

const ownerDelta = (seen: OwnerSummary | undefined, next: OwnerSummary): number =>
  Math.sign(next.records) - Math.sign(seen?.records ?? 0);

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

/**
 * Sets members of a record, and its time of change. Concurrent changes of other members stay.
 *
 * @param change  the members to set; null is a value
 * @param nowMs   epoch milliseconds; a record that was changed at this time or later gets the millisecond after that
 * @param how.onlyIfAsSeen  refuses when the record was changed since it was read
 * @returns       the record with the change; undefined when it is gone: it is never recreated
 */
export async function updateOwned<Stored extends Owned, Row extends OwnedRow>(
  db: Db,
  { listing, idOf }: OwnedKind<Stored, Row>,
  record: Stored,
  change: Partial<Omit<Stored, keyof Owned>>,
  nowMs: number,
  { onlyIfAsSeen = false } = {},
): Promise<Stored | undefined> {
  const changed_at_ms = Math.max(nowMs, record.changed_at_ms + 1);
  const changed: Stored = { ...record, ...change, changed_at_ms };
  const { opened } = recordPlace(idOf(record), changed);
  const written = await changeOwned(db, {
    table: listing.table,
    owner: record.user_id,
    by: 0,
    writtenAtMs: changed_at_ms,
    records: [
      updateItem(listing.table, recordKey(record.user_id, idOf(record)), {
        set: { ...change, changed_at_ms, opened },
        guard: onlyIfAsSeen ? { changed_at_ms: record.changed_at_ms } : exists,
      }),
    ],
  });
  return written ? changed : undefined;
}
