import type { Db } from "../db.ts";
import { tellChanges } from "../outbox/change-event.ts";
import { transact } from "../transact.ts";
import { scheduleChange } from "./schedule-change.ts";
import { type StoredSchedule, scheduleItem } from "./schedule-item.ts";
import { claimName, targetEntries } from "./schedule-writes.ts";

/**
 * Writes a schedule with its name and its targets, all or nothing.
 *
 * @returns false when its owner has a schedule of that name
 */
export async function createSchedule(db: Db, schedule: StoredSchedule): Promise<boolean> {
  const told = await tellChanges(db, [scheduleChange("schedule.created", schedule, schedule.created_at)]);
  const result = await transact(db, () => [
    claimName(db, schedule),
    { Put: { TableName: db.tables.schedules, Item: scheduleItem(schedule) } },
    ...targetEntries(db, schedule.id, undefined, schedule),
    ...told.entries,
  ]);
  if (result.written) await told.wake();
  return result.written;
}
