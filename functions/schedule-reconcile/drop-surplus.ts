import { entryNames, scheduleOfEntry } from "../../shared/scheduler/plan-entries.ts";
import { getSchedule } from "../../shared/stores/schedules/schedule-item.ts";
import type { ReconcileDeps } from "./reconcile-deps.ts";

/** Removes entries that belong to no schedule. @returns how many */
export async function dropSurplus(
  { db, scheduler, log }: ReconcileDeps,
  names: readonly string[],
): Promise<number> {
  let dropped = 0;
  for (const name of names) {
    const schedule = await getSchedule(db, scheduleOfEntry(name));
    if (schedule?.enabled && entryNames(schedule).includes(name)) continue;
    await scheduler.remove([name]);
    log.warn("an entry that belongs to no schedule was removed", { entry: name });
    dropped += 1;
  }
  return dropped;
}
