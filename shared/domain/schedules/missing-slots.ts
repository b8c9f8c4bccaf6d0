import type { Schedule } from "../../schemas/schedules/schedule.ts";
import { nextRunAt } from "../cron/next-run-at.ts";

/** Most slots of one schedule that one call checks: a day of a schedule that fires every minute. */
const MAX_SLOTS = 1_440;

type Timed = Pick<Schedule, "cron_expr" | "timezone" | "created_at" | "updated_at">;

/**
 * The slots of a schedule, by its present times, that should be on record and are not. Slots before its last change are
 * not checked: it may have had other times then.
 *
 * @param onRecord  slots that are on record; like everything here, in epoch seconds
 */
export function missingSlots(
  schedule: Timed,
  onRecord: ReadonlySet<number>,
  from: number,
  until: number,
): number[] {
  const missing: number[] = [];
  let slot = nextRunAt(schedule, Math.max(from, schedule.updated_at ?? schedule.created_at));
  for (let seen = 0; slot !== null && slot <= until && seen < MAX_SLOTS; seen += 1) {
    if (!onRecord.has(slot)) missing.push(slot);
    slot = nextRunAt(schedule, slot);
  }
  return missing;
}
