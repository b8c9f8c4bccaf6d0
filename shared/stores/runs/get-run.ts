import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { runFrom, type StoredRun } from "./run-item.ts";
import { runKey } from "./run-keys.ts";

export type RunAddress = {
  readonly owner: string | null;
  readonly session_id: string;
  readonly run_id: string;
};

/** @param now epoch seconds */
export async function getRun(db: Db, at: RunAddress, now: number): Promise<StoredRun | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({
      TableName: db.tables.runs,
      Key: runKey(at.owner, at.session_id, at.run_id),
      ConsistentRead: true,
    }),
  );
  return Item && runFrom(Item, now);
}
