import type { Schedule } from "../../schemas/schedules/schedule.ts";
import { nextRunAt } from "../cron/next-run-at.ts";

/** Slots of one schedule that are looked for at a time: a day of one that fires every minute. */
const MOST_SLOTS = 1_440;

type Timed = Pick<Schedule, "cron_expr" | "timezone" | "created_at" | "updated_at">;

/**
 * The slots of a schedule, as it stands, that ought to be on record and are not. Those before its last change are not
 * asked for: it may have had other times then.
 *
 * @param onRecord  slots that are; like everything here, in epoch seconds
 */
export function missingSlots(
  schedule: Timed,
  onRecord: ReadonlySet<number>,
  from: number,
  until: number,
): number[] {
  const missing: number[] = [];
  let slot = nextRunAt(schedule, Math.max(from, schedule.updated_at ?? schedule.created_at));
  for (let seen = 0; slot !== null && slot <= until && seen < MOST_SLOTS; seen += 1) {
    if (!onRecord.has(slot)) missing.push(slot);
    slot = nextRunAt(schedule, slot);
  }
  return missing;
}
