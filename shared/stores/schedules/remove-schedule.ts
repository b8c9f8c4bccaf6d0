import type { Db } from "../db.ts";
import { changeListed } from "../listing/change-listed.ts";
import { tellChanges } from "../outbox/change-event.ts";
import type { Write } from "../transact.ts";
import { scheduleChange } from "./schedule-change.ts";
import type { StoredSchedule } from "./schedule-item.ts";
import { removalKey, scheduleKey } from "./schedule-keys.ts";
import { scheduleListing } from "./schedule-listing.ts";
import { releaseName, targetEntries } from "./schedule-writes.ts";

/**
 * Removes a schedule and frees its name. Its runs are purged later, see `purgeRemoved`.
 *
 * @param schedule  as it was read
 * @param now       epoch seconds
 * @returns         false when it is no longer as it was read
 */
export async function removeSchedule(db: Db, schedule: StoredSchedule, now: number): Promise<boolean> {
  const TableName = db.tables.schedules;
  const told = await tellChanges(db, [scheduleChange("schedule.deleted", schedule, now)]);
  const entries: Write[] = [
    {
      Delete: {
        TableName,
        Key: scheduleKey(schedule.id),
        ConditionExpression: "version = :seen",
        ExpressionAttributeValues: { ":seen": schedule.version },
      },
    },
    releaseName(db, schedule),
    ...targetEntries(db, schedule.id, schedule, undefined),
    { Put: { TableName, Item: { ...removalKey(now, schedule.id), schedule_id: schedule.id } } },
    ...told.entries,
  ];
  const change = { before: schedule, entries, after: undefined };
  const { written } = await changeListed(db, scheduleListing, [change], now);
  if (written) await told.wake();
  return written;
}
