import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { type StoredSchedule, scheduleFrom } from "./schedule-item.ts";
import { scheduleKey } from "./schedule-keys.ts";

/** Reads schedules by id, in the order of the ids. Missing ones are left out. */
export async function readSchedules(db: Db, ids: readonly string[]): Promise<StoredSchedule[]> {
  const items = await batchGet(db, db.tables.schedules, ids.map(scheduleKey));
  const byId = new Map(items.map((item) => [item.id, scheduleFrom(item)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
