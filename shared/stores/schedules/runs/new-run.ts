import type { Schedule } from "../../../schemas/schedules/schedule.ts";
import type { ScheduleRunStatus } from "../../../schemas/schedules/schedule-run.ts";
import { expiryOf, type StoredScheduleRun } from "./run-item.ts";
import { type Slot, scheduleRunId } from "./run-keys.ts";
import { scheduleRunWork } from "./schedule-run-work.ts";

/** A new attempt that waits for nothing. The same in every delivery of its slot. */
export function newScheduleRun(
  { user_id }: Pick<Schedule, "user_id">,
  slot: Slot,
  status: ScheduleRunStatus,
): StoredScheduleRun {
  return {
    id: scheduleRunId(slot),
    schedule_id: slot.schedule_id,
    user_id,
    attempt: slot.attempt,
    triggered_at: slot.at,
    completed_at: null,
    status,
    status_code: null,
    run_id: null,
    session_id: null,
    error: null,
    input: null,
    output: null,
    requirements: null,
    created_at: slot.at,
    slot: slot.slot,
    revision: 1,
    expires_at: expiryOf(slot.at),
  };
}

/** An attempt whose call starts as soon as it is written. @param now epoch seconds */
export const callingRun = (
  schedule: Pick<Schedule, "user_id">,
  slot: Slot,
  now: number,
): StoredScheduleRun => ({
  ...newScheduleRun(schedule, slot, "running"),
  stage: "call",
  due_at: scheduleRunWork.leaseEnd(now).due,
  called: true,
  started_at: now,
});

/** The record of a slot that was not run. @param reason public */
export const slotNotRun = (
  schedule: Pick<Schedule, "user_id">,
  slot: Slot,
  status: "skipped" | "missed" | "failed",
  reason: string,
  now: number,
): StoredScheduleRun => ({
  ...newScheduleRun(schedule, slot, status),
  error: reason,
  completed_at: now,
});

/** An attempt that was triggered by hand: it has no slot, and takes no turn. @param now epoch seconds */
export const triggeredRun = (
  schedule: Pick<Schedule, "id" | "user_id">,
  triggerId: string,
  now: number,
): StoredScheduleRun => ({
  ...newScheduleRun(
    schedule,
    { schedule_id: schedule.id, slot: `trigger:${triggerId}`, attempt: 1, at: now },
    "running",
  ),
  stage: "call",
  due_at: now,
  started_at: now,
});
