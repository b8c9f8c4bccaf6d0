import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { jobKey } from "./job-keys.ts";
/** What a worker reads while it executes: whether it still has the lock, and whether the run is cancelled. */
export type LockSeen = {
  readonly locked_by: string | null;
  readonly attempt: number;
  readonly cancel_until?: number;
};

/** An eventually consistent read: cheap, possibly a moment old. */
export async function readLock(db: Db, id: string): Promise<LockSeen | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({
      TableName: db.tables.jobs,
      Key: jobKey(id),
      ProjectionExpression: "locked_by, attempt, cancel_until",
    }),
  );
  return Item as LockSeen | undefined;
}
