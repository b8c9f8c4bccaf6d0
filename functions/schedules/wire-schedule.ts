import * as v from "valibot";
import { nextRunAt } from "../../shared/domain/cron/next-run-at.ts";
import { Schedule, ScheduleState } from "../../shared/schemas/schedules/schedule.ts";
import type { StoredSchedule } from "../../shared/stores/schedules/index.ts";

/**
 * A schedule as the wire shows it. Nothing is written when a schedule fires, so a time that has passed is computed
 * again; that of a disabled schedule stays.
 *
 * @param now  epoch seconds
 */
export const wireSchedule = (schedule: StoredSchedule, now: number): Schedule =>
  v.parse(Schedule, upToDate(schedule, now));

export const wireState = (schedule: StoredSchedule, now: number): ScheduleState =>
  v.parse(ScheduleState, upToDate(schedule, now));

/** The schedule with the next time from now on. */
export function upToDate(schedule: StoredSchedule, now: number): StoredSchedule {
  const { enabled, next_run_at } = schedule;
  const isPast = enabled && next_run_at !== null && next_run_at <= now;
  return isPast ? { ...schedule, next_run_at: nextRunAt(schedule, now) } : schedule;
}
