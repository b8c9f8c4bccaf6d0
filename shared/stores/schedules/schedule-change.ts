import type { ChangeType } from "../../schemas/deliveries/event-type.ts";
import type { Change } from "../outbox/change-event.ts";
import type { StoredSchedule } from "./schedule-item.ts";

/** What is published of a schedule, as it is after the change, or was before it was deleted. @param now epoch seconds */
export function scheduleChange(
  type: Extract<ChangeType, `schedule.${string}`>,
  schedule: StoredSchedule,
  now: number,
): Change {
  const { id, user_id, target_type, target_id } = schedule;
  const { name, cron_expr, timezone, enabled, disabled_reason, next_run_at } = schedule;
  return {
    type,
    id,
    owner: user_id,
    component: target_type === null || target_id === null ? undefined : { type: target_type, id: target_id },
    facts: { name, cron_expr, timezone, enabled, disabled_reason, next_run_at },
    now,
  };
}
