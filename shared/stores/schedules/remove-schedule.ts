import { deleteItem, putItem } from "../../data/writes.ts";
import type { Db } from "../db.ts";
import { changeListed } from "../listing/change-listed.ts";
import { publishChanges } from "../outbox/change-event.ts";
import { scheduleChange } from "./schedule-change.ts";
import type { StoredSchedule } from "./schedule-item.ts";
import { removalKey, scheduleKey } from "./schedule-keys.ts";
import { scheduleListing } from "./schedule-listing.ts";
import { releaseName, targetWrites } from "./schedule-writes.ts";

/**
 * Removes a schedule and frees its name. Its runs are purged later, see `purgeRemoved`.
 *
 * @param schedule  as it was read
 * @param now       epoch seconds
 * @returns         false when it is no longer as it was read
 */
export async function removeSchedule(db: Db, schedule: StoredSchedule, now: number): Promise<boolean> {
  const publication = await publishChanges(db, [scheduleChange("schedule.deleted", schedule, now)]);
  const parts = {
    schedule: deleteItem("schedules", scheduleKey(schedule.id), { version: schedule.version }),
    name: releaseName(schedule),
    targets: targetWrites(schedule.id, schedule, undefined),
    removal: putItem("schedules", { ...removalKey(now, schedule.id), schedule_id: schedule.id }),
    publication: publication.entries,
  };
  const change = { before: schedule, parts, after: undefined };
  const { written } = await changeListed(db, scheduleListing, [change], now);
  if (written) await publication.wake();
  return written;
}
