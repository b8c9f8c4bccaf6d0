import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { Db } from "../../db.ts";
import { StoredTask, taskKey } from "./task-item.ts";

/** A stored task; undefined for a run that no message started. */
export async function getTask(db: Db, runId: string): Promise<StoredTask | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.runs, Key: taskKey(runId), ConsistentRead: true }),
  );
  return Item && v.parse(StoredTask, Item);
}
