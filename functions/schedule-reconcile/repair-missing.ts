import { getSchedule } from "../../shared/stores/schedules/get-schedule.ts";
import type { ReconcileDeps } from "./reconcile-deps.ts";

/**
 * Adds the entries that schedules lack.
 *
 * @param settled  schedules that were written after this are on their way; epoch seconds
 * @returns        how many schedules
 */
export async function repairMissing(
  { db, scheduler, log }: ReconcileDeps,
  ids: readonly string[],
  settled: number,
): Promise<number> {
  let repaired = 0;
  for (const id of ids) {
    const schedule = await getSchedule(db, id);
    if (!schedule?.enabled || (schedule.updated_at ?? schedule.created_at) > settled) continue;
    await scheduler.add(schedule);
    log.error("a schedule would not have fired", { schedule_id: id, plan_id: schedule.plan_id });
    repaired += 1;
  }
  return repaired;
}
