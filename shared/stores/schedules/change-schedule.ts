import type { Db } from "../db.ts";
import { changeListed } from "../listing/change-listed.ts";
import { tellChanges } from "../outbox/change-event.ts";
import { transact, type Write } from "../transact.ts";
import { scheduleChange } from "./schedule-change.ts";
import type { StoredSchedule } from "./schedule-item.ts";
import { scheduleKey } from "./schedule-keys.ts";
import { scheduleListing } from "./schedule-listing.ts";
import { claimName, releaseName, targetEntries } from "./schedule-writes.ts";

/** Changed; or not, because the owner has another schedule of that name, or it is no longer as it was read. */
export type Changed =
  | { readonly changed: true; readonly schedule: StoredSchedule }
  | { readonly changed: false; readonly because: "name" | "version" };

/**
 * Writes what differs between two states of a schedule, with its name and its targets, all or nothing.
 *
 * @param before  as it was read
 * @param now     epoch seconds
 */
export async function changeSchedule(
  db: Db,
  before: StoredSchedule,
  after: StoredSchedule,
  now: number,
): Promise<Changed> {
  const schedule = { ...after, version: before.version + 1 };
  const told = await tellChanges(db, [scheduleChange("schedule.updated", schedule, now)]);
  const entries = [...changeEntries(db, before, schedule), ...told.entries];
  const result =
    before.enabled === after.enabled
      ? await transact(db, () => entries)
      : await changeListed(db, scheduleListing, [{ before, entries, after: schedule }], now);
  if (result.written) {
    await told.wake();
    return { changed: true, schedule };
  }
  return { changed: false, because: result.entry === 0 ? "version" : "name" };
}

/** The entries of a change. The first refuses when the schedule is no longer as it was read, others when a name is taken. */
export const changeEntries = (db: Db, before: StoredSchedule, after: StoredSchedule): Write[] => [
  updateEntry(db, before, after),
  ...(before.name === after.name ? [] : [claimName(db, after), releaseName(db, before)]),
  ...targetEntries(db, before.id, before, after),
];

/** Only what differs is written, so that other attributes of the item stay. */
function updateEntry(db: Db, before: StoredSchedule, after: StoredSchedule): Write {
  const old = new Map<string, unknown>(Object.entries(before));
  const written = Object.entries(after).filter(([name, value]) => old.get(name) !== value);
  return {
    Update: {
      TableName: db.tables.schedules,
      Key: scheduleKey(before.id),
      UpdateExpression: `SET ${written.map(([name]) => `#${name} = :${name}`).join(", ")}`,
      ConditionExpression: "#version = :seen",
      ExpressionAttributeNames: {
        "#version": "version",
        ...Object.fromEntries(written.map(([name]) => [`#${name}`, name])),
      },
      ExpressionAttributeValues: {
        ":seen": before.version,
        ...Object.fromEntries(written.map(([name, value]) => [`:${name}`, value])),
      },
    },
  };
}
