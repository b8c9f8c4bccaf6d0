import type { ScheduleRunRef } from "../../../schemas/schedule-run.ts";
import type { Db } from "../../db.ts";
import { dueItems } from "../../due-items.ts";
import { dueShards, dueUntil, refOfKeys } from "./run-keys.ts";

/**
 * Attempts whose time has come: a run that has ended, an answer that never came, a deadline, a retry.
 *
 * @param now   epoch seconds
 * @param most  of each shard
 */
export async function listDueRuns(db: Db, now: number, most: number): Promise<ScheduleRunRef[]> {
  const until = dueUntil(now);
  const shards = await Promise.all(
    dueShards().map((partition) =>
      dueItems(db, { table: "schedules", key: "due_shard", partition, until, most }),
    ),
  );
  return shards.flat().map(({ pk, sk }) => refOfKeys(String(pk), String(sk)));
}
