import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { runFrom, type StoredRun, wholeRun } from "./run-item.ts";
import { type RunAddress, runKey } from "./run-keys.ts";

/** A run with its large fields. @param now epoch seconds */
export async function getRun(db: Db, at: RunAddress, now: number): Promise<StoredRun | undefined> {
  const head = await getRunHead(db, at, now);
  return head && wholeRun(db, head);
}

/**
 * A run without its large fields: a check of its status needs no object, and does not fail when one is missing. A write
 * of its output must pass `output_large` on as `keeps`.
 */
export async function getRunHead(db: Db, at: RunAddress, now: number): Promise<StoredRun | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({
      TableName: db.tables.runs,
      Key: runKey(at.owner, at.session_id, at.run_id),
      ConsistentRead: true,
    }),
  );
  return Item && runFrom(Item, now);
}
