import type { ScheduleMessage } from "../../schemas/schedules/schedule.ts";
import { nextRunAt } from "../cron/next-run-at.ts";
import type { Timing } from "../cron/timing-of.ts";

type Planned = Timing & { readonly enabled: boolean; readonly plan_id: string };

/**
 * Whether a message is for a slot of the schedule as it is now. What the scheduler sends by an older plan, because the
 * times were changed or its entries could not be removed yet, is not; unless it is a slot of the present plan too,
 * whose entries were then created too late to send it.
 */
export function isOwnSlot(schedule: Planned, { plan_id, scheduled_time }: ScheduleMessage): boolean {
  if (plan_id === undefined || plan_id === schedule.plan_id) return true;
  const at = Math.floor(Date.parse(scheduled_time) / 1000);
  return schedule.enabled && nextRunAt(schedule, at - 1) === at;
}
