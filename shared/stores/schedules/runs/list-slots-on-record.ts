import type { Db } from "../../db.ts";
import { queryPages } from "../../query-pages.ts";
import { schedulePartition } from "../schedule-keys.ts";
import { dueOfKey, runsFrom } from "./run-keys.ts";

/** The due times of a schedule's attempts between two instants; all in epoch seconds. */
export async function listSlotsOnRecord(
  db: Db,
  scheduleId: string,
  from: number,
  until: number,
): Promise<ReadonlySet<number>> {
  const pages = queryPages(db, {
    TableName: db.tables.schedules,
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :until",
    ExpressionAttributeValues: {
      ":pk": schedulePartition(scheduleId),
      ":from": runsFrom(from),
      ":until": runsFrom(until + 1),
    },
    ProjectionExpression: "sk",
    ConsistentRead: true,
  });
  const found = new Set<number>();
  for await (const { Items = [] } of pages) for (const { sk } of Items) found.add(dueOfKey(String(sk)));
  return found;
}
