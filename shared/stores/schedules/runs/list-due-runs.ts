import type { ScheduleRunRef } from "../../../schemas/schedules/schedule-run.ts";
import type { Db } from "../../db.ts";
import { dueItems } from "../../due/due-items.ts";
import { dueShards } from "../../due/due-keys.ts";
import { refOfKeys } from "./run-keys.ts";

/**
 * Attempts whose time has come: a run that has ended, an answer that never came, a deadline, a retry.
 *
 * @param now   epoch seconds
 * @param most  of each shard
 */
export async function listDueRuns(db: Db, now: number, most: number): Promise<ScheduleRunRef[]> {
  const table = db.tables.schedules;
  const shards = await Promise.all(
    dueShards().map((due_shard) => dueItems(db, { table, partition: { due_shard }, now, most })),
  );
  return shards.flat().map(({ pk, sk }) => refOfKeys(String(pk), String(sk)));
}
