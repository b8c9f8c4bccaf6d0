import type { ScheduleTarget } from "../../schemas/schedules/schedule.ts";
import type { Db } from "../db.ts";
import { queryPages } from "../query-pages.ts";
import { readSchedules } from "./read-schedules.ts";
import type { StoredSchedule } from "./schedule-item.ts";
import { targetPartition } from "./schedule-keys.ts";

/** The enabled schedules of every owner that target a component. The read is consistent. */
export async function listSchedulesOf(db: Db, target: ScheduleTarget): Promise<StoredSchedule[]> {
  const pages = queryPages(db, {
    TableName: db.tables.schedules,
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": targetPartition(target) },
    ConsistentRead: true,
  });
  const ids: string[] = [];
  for await (const { Items = [] } of pages) ids.push(...Items.map(({ schedule_id }) => String(schedule_id)));
  return (await readSchedules(db, ids)).filter(({ enabled }) => enabled);
}
