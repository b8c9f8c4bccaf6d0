import { write } from "../../data/write.ts";
import { deleteItem } from "../../data/writes.ts";
import type { Db } from "../db.ts";
import { queryPages } from "../query-pages.ts";
import { removePartition } from "../remove-partition.ts";
import { REMOVED, removalKey, schedulePartition } from "./schedule-keys.ts";

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
