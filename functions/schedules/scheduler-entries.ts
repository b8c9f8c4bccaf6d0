import { entryNames } from "../../shared/scheduler/plan-entries.ts";
import type { StoredSchedule } from "../../shared/stores/schedules/schedule-item.ts";
import type { SchedulesDeps } from "./schedules-deps.ts";

type Needs = Pick<SchedulesDeps, "scheduler" | "log">;

/**
 * The scheduler is told first, then the table is written, then what the scheduler has too much is taken away:
 *
 *   entries of the new plan ─▶ row names the new plan ─▶ entries of the old plan go
 *                           ╰─▶ refused: those of the new plan go
 *
 * Whatever breaks off, an enabled schedule has its entries. One that is too much sends messages that are no slots, see
 * `isOwnSlot`, until the daily comparison takes it away.
 */
export async function addEntries({ scheduler, log }: Needs, schedule: StoredSchedule): Promise<void> {
  try {
    await scheduler.add(schedule);
  } catch (error) {
    await dropEntries({ scheduler, log }, schedule);
    throw error;
  }
}

/** Only of a plan that no row names. What cannot be taken away now is left to the daily comparison. */
export async function dropEntries({ scheduler, log }: Needs, schedule: StoredSchedule): Promise<void> {
  try {
    await scheduler.remove(entryNames(schedule));
  } catch (error) {
    const { id, plan_id } = schedule;
    log.warn("entries of a former plan stay at the scheduler", {
      schedule_id: id,
      plan_id,
      error: String(error),
    });
  }
}
