import { entryNames } from "../../shared/scheduler/plan-entries.ts";
import type { StoredSchedule } from "../../shared/stores/schedules/index.ts";
import type { SchedulesDeps } from "./schedules-deps.ts";

type Needs = Pick<SchedulesDeps, "scheduler" | "log">;

/**
 * The new entries are added to the scheduler first, then the table is written, then surplus entries are removed:
 *
 *   entries of the new plan ─▶ row names the new plan ─▶ entries of the old plan are removed
 *                           ╰─▶ refused: those of the new plan are removed
 *
 * Wherever this breaks off, an enabled schedule has its entries. A surplus one sends messages that are no slots, see
 * `isOwnSlot`, until the daily reconciliation removes it.
 */
export async function addEntries({ scheduler, log }: Needs, schedule: StoredSchedule): Promise<void> {
  try {
    await scheduler.add(schedule);
  } catch (error) {
    await dropEntries({ scheduler, log }, schedule);
    throw error;
  }
}

/** Removes the entries of a plan that no row names. What cannot be removed now is left to the daily reconciliation. */
export async function dropEntries({ scheduler, log }: Needs, schedule: StoredSchedule): Promise<void> {
  try {
    await scheduler.remove(entryNames(schedule));
  } catch (error) {
    const { id, plan_id } = schedule;
    log.warn("entries of a former plan remain at the scheduler", {
      schedule_id: id,
      plan_id,
      error: String(error),
    });
  }
}
