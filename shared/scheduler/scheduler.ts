import type { Schedule } from "../schemas/schedule.ts";

/** What the scheduler must know of a schedule to send its slots. */
export type Planned = Pick<Schedule, "id" | "cron_expr" | "timezone" | "enabled">;

/**
 * The service that sends a message at every slot of a schedule. What it refuses or does not answer is thrown as its
 * client raises it, and is answered with 503.
 */
export type Scheduler = {
  /** Makes the scheduler's entries what the schedule says, whatever they were. */
  readonly put: (schedule: Planned) => Promise<void>;
  /** Takes a schedule's entries away; nothing happens when there are none. */
  readonly remove: (id: string) => Promise<void>;
};
