import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { ScheduleRunRef } from "../../../schemas/schedules/schedule-run.ts";
import type { Db } from "../../db.ts";
import { type StoredScheduleRun, scheduleRunFrom } from "./run-item.ts";
import { scheduleRunKey } from "./run-keys.ts";

/** @param now epoch seconds; an expired attempt is not returned */
export async function getScheduleRun(
  db: Db,
  ref: ScheduleRunRef,
  now: number,
): Promise<StoredScheduleRun | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.schedules, Key: scheduleRunKey(ref), ConsistentRead: true }),
  );
  const run = Item && scheduleRunFrom(Item);
  return run && run.expires_at > now ? run : undefined;
}
