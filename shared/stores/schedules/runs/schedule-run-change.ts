import type { ChangeType } from "../../../schemas/deliveries/event-type.ts";
import type { ScheduleRunStatus } from "../../../schemas/schedules/schedule-run.ts";
import type { Change } from "../../outbox/change-event.ts";
import type { StoredScheduleRun } from "./run-item.ts";

const types = new Map<ScheduleRunStatus, ChangeType>([
  ["success", "schedule_run.completed"],
  ["failed", "schedule_run.failed"],
  ["cancelled", "schedule_run.skipped"],
  ["skipped", "schedule_run.skipped"],
  ["missed", "schedule_run.skipped"],
]);

/**
 * What is published of an attempt of a schedule that has ended; nothing while it has not.
 *
 * @param retries  whether another attempt will follow
 * @param now      epoch seconds
 */
export function scheduleRunChanges(
  run: Pick<StoredScheduleRun, "id" | "schedule_id" | "user_id" | "attempt" | "triggered_at"> &
    Pick<StoredScheduleRun, "run_id" | "session_id" | "status_code">,
  status: ScheduleRunStatus,
  retries: boolean,
  now: number,
): Change[] {
  const type = types.get(status);
  if (!type) return [];
  const { id, user_id, schedule_id, attempt, triggered_at, run_id, session_id, status_code } = run;
  const facts = {
    ...{ schedule_id, status, attempt, triggered_at, run_id, session_id, status_code },
    ...(type === "schedule_run.failed" && { retries }),
  };
  return [{ type, id, owner: user_id, facts, now }];
}
