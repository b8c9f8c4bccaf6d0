import { getSchedule } from "../../shared/stores/schedules/index.ts";
import type { ReconcileDeps } from "./reconcile-deps.ts";

/** Schedules that lacked entries, counted by what became of them. */
export type Repaired = { readonly repaired: number; readonly restored: number; readonly unsettled: number };

/**
 * Adds the entries that schedules lack. Those of a schedule that is older than the group went with the group before: they
 * are restored whatever their age, and it is no accident.
 *
 * @param settled      schedules that were written after this are on their way; epoch seconds
 * @param groupMadeAt  epoch seconds
 */
export async function repairMissing(
  { db, scheduler, log }: ReconcileDeps,
  ids: readonly string[],
  settled: number,
  groupMadeAt: number,
): Promise<Repaired> {
  const counts = { repaired: 0, restored: 0, unsettled: 0 };
  for (const id of ids) {
    const schedule = await getSchedule(db, id);
    if (!schedule?.enabled) continue;
    const changedAt = schedule.updated_at ?? schedule.created_at;
    if (changedAt < groupMadeAt) {
      await scheduler.add(schedule);
      counts.restored += 1;
    } else if (changedAt > settled) {
      counts.unsettled += 1;
    } else {
      await scheduler.add(schedule);
      log.error("a schedule would not have fired", { schedule_id: id, plan_id: schedule.plan_id });
      counts.repaired += 1;
    }
  }
  return counts;
}
