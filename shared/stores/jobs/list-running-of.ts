import type { Db } from "../db.ts";
import { statusShards } from "./job-keys.ts";
import { indexRows } from "./list-jobs.ts";

/** Ids of a user's running jobs, as far as the index knows; running jobs are few. @param now epoch seconds */
export async function listRunningOf(db: Db, userId: string | null, now: number): Promise<string[]> {
  const shards = await Promise.all(
    statusShards("running").map(async (shard) => {
      const ids: string[] = [];
      const only = ["id", "user_id"];
      for await (const row of indexRows(db, shard, { forward: true, now, only })) {
        if (row.user_id === userId) ids.push(row.id);
      }
      return ids;
    }),
  );
  return shards.flat();
}
