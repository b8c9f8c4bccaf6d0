import type { Schedule } from "../../schemas/schedules/schedule.ts";
import type { ScheduleRun } from "../../schemas/schedules/schedule-run.ts";

/** Whether a slot is tried again after a failed attempt, and after how many seconds. */
export type AttemptRetry =
  | { readonly retry: false }
  | { readonly retry: true; readonly after_seconds: number };

/**
 * Every failure is retried, a refusal too, until the attempts are spent. A run that had paused waits for a person, and
 * a disabled schedule starts nothing; neither is retried.
 */
export function planAttemptRetry(
  { attempt, status }: Pick<ScheduleRun, "attempt" | "status">,
  {
    max_retries,
    retry_delay_seconds,
    enabled,
  }: Pick<Schedule, "max_retries" | "retry_delay_seconds" | "enabled">,
): AttemptRetry {
  if (status !== "running" || !enabled || attempt > max_retries) return { retry: false };
  return { retry: true, after_seconds: retry_delay_seconds };
}
