import type { Db } from "../../db.ts";
import { queryPages } from "../../query-pages.ts";
import { schedulePartition } from "../schedule-keys.ts";
import { countScheduleRuns } from "./count-runs.ts";
import { type StoredScheduleRun, scheduleRunFrom } from "./run-item.ts";
import { RUN_PREFIX } from "./run-keys.ts";

export type ScheduleRunsFound = { readonly runs: StoredScheduleRun[]; readonly total: number };

/**
 * One page of the attempts of a schedule, the newest first, and how many there are.
 *
 * @param page  counted from 1
 * @param now   epoch seconds
 */
export async function listScheduleRuns(
  db: Db,
  scheduleId: string,
  { page, limit }: { readonly page: number; readonly limit: number },
  now: number,
): Promise<ScheduleRunsFound> {
  const total = await countScheduleRuns(db, scheduleId, now);
  const [from, until] = [(page - 1) * limit, page * limit];
  const runs: StoredScheduleRun[] = [];
  if (from >= total) return { runs, total };
  const pages = queryPages(db, {
    TableName: db.tables.schedules,
    KeyConditionExpression: "pk = :pk AND begins_with(sk, :run)",
    ExpressionAttributeValues: { ":pk": schedulePartition(scheduleId), ":run": RUN_PREFIX },
    ScanIndexForward: false,
    ConsistentRead: true,
    Limit: until,
  });
  for await (const { Items = [] } of pages) {
    runs.push(...Items.map(scheduleRunFrom).filter(({ expires_at }) => expires_at > now));
    if (runs.length >= until) break;
  }
  return { runs: runs.slice(from, until), total };
}
