import { deleteItem, putItem, write } from "../../data/index.ts";
import { type Db, queryPages } from "../db.ts";
import { changeListed } from "../listing/change-listed.ts";
import { publishChanges } from "../outbox/change-event.ts";
import { removePartition } from "../remove-partition.ts";
import {
  REMOVED,
  removalKey,
  type StoredSchedule,
  scheduleKey,
  scheduleListing,
  schedulePartition,
} from "./schedule-item.ts";
import { auditedSchedule, releaseName, scheduleChange, targetWrites } from "./schedule-writes.ts";

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
    audit: auditedSchedule(db, schedule, undefined),
    publication: publication.entries,
  };
  const change = { before: schedule, parts, after: undefined };
  const { written } = await changeListed(db, scheduleListing, [change], now);
  if (written) await publication.wake();
  return written;
}

/**
 * Purges schedules that were removed before an instant: their runs, and then the record of the removal. A process that
 * was writing a run at the time of the removal has ended by then.
 *
 * @param before  epoch seconds
 * @returns       how many schedules
 */
export async function purgeRemoved(db: Db, before: number): Promise<number> {
  const pages = queryPages(db, {
    TableName: db.tables.schedules,
    KeyConditionExpression: "pk = :pk AND sk < :before",
    ExpressionAttributeValues: { ":pk": REMOVED, ":before": removalKey(before, "").sk },
  });
  let purged = 0;
  for await (const { Items = [] } of pages) {
    for (const { pk, sk, schedule_id } of Items) {
      await removePartition(db, "schedules", schedulePartition(String(schedule_id)));
      await write(db, deleteItem("schedules", { pk, sk }));
      purged += 1;
    }
  }
  return purged;
}
