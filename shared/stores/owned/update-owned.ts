import { exists } from "../../data/guard.ts";
import { updateItem } from "../../data/writes.ts";
import type { Db } from "../db.ts";
import { changeOwned } from "./change-owned.ts";
import type { Owned, OwnedKind, OwnedRow } from "./owned.ts";
import { recordKey, recordPlace } from "./owned-keys.ts";

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
