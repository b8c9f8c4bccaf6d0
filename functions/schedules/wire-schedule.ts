import type { Schedule } from "../../shared/schemas/schedule.ts";
import type { StoredSchedule } from "../../shared/stores/schedules/schedule-item.ts";

/** A schedule as the wire shows it. */
export function wireSchedule({ version: _, ...schedule }: StoredSchedule): Schedule {
  return schedule;
}
