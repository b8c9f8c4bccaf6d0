import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import type { StoredSchedule } from "./schedule-item.ts";
import { nameKey } from "./schedule-keys.ts";

/** Whether another schedule of the same owner has the name now. */
export async function isNameTaken(
  db: Db,
  { id, user_id, name }: Pick<StoredSchedule, "id" | "user_id" | "name">,
): Promise<boolean> {
  const Key = nameKey(user_id, name);
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.schedules, Key, ConsistentRead: true }),
  );
  return Item !== undefined && Item.schedule_id !== id;
}
