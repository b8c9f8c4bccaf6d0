import type { ScheduleRunRef } from "../../../schemas/schedules/schedule-run.ts";
import type { Db } from "../../db.ts";
import { dueItemsOfShards } from "../../due/due-items.ts";
import { refOfKeys } from "./run-keys.ts";

/**
 * Attempts that are due: a run that has ended, an answer that never came, a deadline, a retry.
 *
 * @param now   epoch seconds
 * @param most  of each shard
 */
export async function listDueRuns(db: Db, now: number, most: number): Promise<ScheduleRunRef[]> {
  const due = await dueItemsOfShards(db, { table: db.tables.schedules, now, most });
  return due.map(({ pk, sk }) => refOfKeys(String(pk), String(sk)));
}
