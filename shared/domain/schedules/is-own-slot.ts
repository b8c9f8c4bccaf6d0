import type { ScheduleMessage } from "../../schemas/schedules/schedule.ts";
import { nextRunAt } from "../cron/next-run-at.ts";
import type { Timing } from "../cron/timing-of.ts";

type Planned = Timing & { readonly enabled: boolean; readonly plan_id: string };

/**
 * Whether a message tells of a slot of the schedule as it stands. What the scheduler sends by an older plan, because
 * the times were changed or nobody could take its entries away yet, is none; unless it falls on a slot of the present
 * plan too, which then began too late to send it itself.
 */
export function isOwnSlot(schedule: Planned, { plan_id, scheduled_time }: ScheduleMessage): boolean {
  if (plan_id === undefined || plan_id === schedule.plan_id) return true;
  const at = Math.floor(Date.parse(scheduled_time) / 1000);
  return schedule.enabled && nextRunAt(schedule, at - 1) === at;
}
