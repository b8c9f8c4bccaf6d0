import type { ScheduleRunRef } from "../../../schemas/schedules/schedule-run.ts";
import type { Db } from "../../db.ts";
import { dueItemsOfShards } from "../../due/due-items.ts";
import { dueAtOf } from "../../due/due-keys.ts";
import { refOfKeys } from "./run-keys.ts";

/** An attempt that something has to be done for. */
export type DueScheduleRun = { readonly ref: ScheduleRunRef /** Epoch seconds. */; readonly due_at: number };

/**
 * Attempts that are due by an instant: a run that has ended, an answer that never came, a deadline, a retry.
 *
 * @param by    epoch seconds
 * @param most  of each shard
 */
export async function listDueRuns(db: Db, by: number, most: number): Promise<DueScheduleRun[]> {
  const items = await dueItemsOfShards(db, { table: db.tables.schedules, now: by, most });
  return items.map(({ pk, sk, due }) => ({
    ref: refOfKeys(String(pk), String(sk)),
    due_at: dueAtOf(String(due)),
  }));
}
