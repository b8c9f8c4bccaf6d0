import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { type StoredSchedule, scheduleFrom } from "./schedule-item.ts";
import { scheduleKey } from "./schedule-keys.ts";

export async function getSchedule(db: Db, id: string): Promise<StoredSchedule | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.schedules, Key: scheduleKey(id), ConsistentRead: true }),
  );
  return Item && scheduleFrom(Item);
}
