import { batchGet } from "../batch-get.ts";
import { type Db, queryPages } from "../db.ts";
import { jobKey, userPartitions } from "./job-keys.ts";

/** Ids of a user's jobs that are being executed, as far as the index knows. */
export async function listRunningOf(db: Db, userId: string): Promise<string[]> {
  const ids = await Promise.all(
    userPartitions(db, userId).map(async (partition) => {
      const found: string[] = [];
      for await (const { Items = [] } of queryPages(db, liveIn(db, partition, "running")))
        found.push(...Items.map(({ pk }) => String(pk).slice("job#".length)));
      return found;
    }),
  );
  return ids.flat();
}

/** Those of some jobs that are being executed at this moment. */
export async function onlyRunning(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await batchGet(db, db.tables.jobs, ids.map(jobKey), ["id", "status"]);
  return rows.filter(({ status }) => status === "running").map(({ id }) => String(id));
}

/** How many of a user's jobs wait, as far as the index knows. */
export async function countQueuedOf(db: Db, userId: string): Promise<number> {
  const counts = await Promise.all(
    userPartitions(db, userId).map(async (partition) => {
      let count = 0;
      for await (const page of queryPages(db, { ...liveIn(db, partition, "queued"), Select: "COUNT" }))
        count += page.Count ?? 0;
      return count;
    }),
  );
  return counts.reduce((sum, one) => sum + one, 0);
}

const liveIn = (db: Db, partition: string, status: "queued" | "running") => ({
  TableName: db.tables.jobs,
  IndexName: "by_user",
  KeyConditionExpression: "user_partition = :user AND begins_with(user_place, :status)",
  ExpressionAttributeValues: { ":user": partition, ":status": `${status}#` },
});
