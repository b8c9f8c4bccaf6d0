import type { ScheduleQueue } from "../../shared/queue/schedule-queue.ts";
import type { ScheduleRunRef } from "../../shared/schemas/schedules/schedule-run.ts";

export type ScheduleWakeups = ScheduleQueue & {
  /** Everything that was sent and not taken yet, oldest first. */
  readonly sent: { readonly ref: ScheduleRunRef; readonly delaySeconds: number }[];
};

/** The queue of attempts to look after, with the deliveries in the test's hand. */
export function scheduleWakeups(): ScheduleWakeups {
  const sent: ScheduleWakeups["sent"] = [];
  return {
    sent,
    wake: async (ref, delaySeconds = 0) => {
      sent.push({ ref, delaySeconds });
    },
  };
}
