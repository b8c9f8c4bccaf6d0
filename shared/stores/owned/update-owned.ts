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
  const set: [string, unknown][] = Object.entries({ ...change, changed_at_ms, opened });
  const { written } = await changeOwned(db, {
    table: listing.table,
    owner: record.user_id,
    by: 0,
    writtenAtMs: changed_at_ms,
    entries: [
      {
        Update: {
          TableName: db.tables[listing.table],
          Key: recordKey(record.user_id, idOf(record)),
          UpdateExpression: `SET ${set.map(([name]) => `#${name} = :${name}`).join(", ")}`,
          ConditionExpression: onlyIfAsSeen ? "changed_at_ms = :seen" : "attribute_exists(pk)",
          ExpressionAttributeNames: Object.fromEntries(set.map(([name]) => [`#${name}`, name])),
          ExpressionAttributeValues: {
            ...Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
            ...(onlyIfAsSeen && { ":seen": record.changed_at_ms }),
          },
        },
      },
    ],
  });
  return written ? changed : undefined;
}
