import { putItem, transact } from "../../data/index.ts";
import type { Db } from "../db.ts";
import { publishChanges } from "../outbox/change-event.ts";
import { type StoredSchedule, scheduleItem } from "./schedule-item.ts";
import { auditedSchedule, claimName, scheduleChange, targetWrites } from "./schedule-writes.ts";

/**
 * Writes a schedule with its name and its targets, all or nothing.
 *
 * @returns false when its owner has a schedule of that name
 */
export async function createSchedule(db: Db, schedule: StoredSchedule): Promise<boolean> {
  const publication = await publishChanges(db, [
    scheduleChange("schedule.created", schedule, schedule.created_at),
  ]);
  const result = await transact(db, {
    name: claimName(schedule),
    schedule: putItem("schedules", scheduleItem(schedule)),
    targets: targetWrites(schedule.id, undefined, schedule),
    audit: auditedSchedule(db, undefined, schedule),
    publication: publication.entries,
  });
  if (result.written) await publication.wake();
  return result.written;
}
