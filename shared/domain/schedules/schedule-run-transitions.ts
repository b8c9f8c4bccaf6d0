import type { ScheduleRunStatus } from "../../schemas/schedules/schedule-run.ts";

/**
 * What an attempt waits for, if it waits:
 * - `call`   the answer of the endpoint
 * - `run`    the end of the run that the call started
 * - `retry`  the next attempt
 *
 * Each has a time (`due_at`) at which the sweeper wakes it if no message did before.
 */
export const scheduleRunStages = ["call", "run", "retry"] as const;
export type ScheduleRunStage = (typeof scheduleRunStages)[number];

export type ScheduleRunTransition = {
  readonly from: readonly ScheduleRunStatus[];
  /** The stage it must be in; any when absent. */
  readonly during?: ScheduleRunStage;
  readonly to: ScheduleRunStatus;
  /** The stage afterwards; none when absent. */
  readonly leads?: ScheduleRunStage;
};

/**
 * Every way an attempt changes its state. The guard of each write is generated from its row.
 *
 *   ─▶ running/call ─▶ running/run ─┬─▶ success
 *   ─▶ queued ─┘ │          │       ├─▶ paused ─▶ success | failed
 *                └──────────┴───────┴─▶ failed | failed/retry ─▶ failed, and the next attempt
 *   ─▶ skipped, missed: they never ran
 *
 * `queued`, `skipped` and `missed` are ours.
 */
export const scheduleRunTransitions = {
  /** The run before it has ended: it is its turn. */
  start: { from: ["queued"], to: "running", leads: "call" },
  /** The process that calls the endpoint leases the attempt for as long as a call can take. */
  call: { from: ["running"], during: "call", to: "running", leads: "call" },
  /** The call started a run. */
  follow: { from: ["running"], during: "call", to: "running", leads: "run" },
  succeed: { from: ["running", "paused"], to: "success" },
  pause: { from: ["running"], to: "paused" },
  fail: { from: ["running", "paused"], to: "failed" },
  /** Failed, and another attempt will follow. */
  failAndRetry: { from: ["running"], to: "failed", leads: "retry" },
  /** The next attempt has started, or there will be none. */
  endRetryWait: { from: ["failed"], during: "retry", to: "failed" },
  /** The schedule was disabled when its turn came. */
  drop: { from: ["queued", "running"], to: "cancelled" },
} as const satisfies Record<string, ScheduleRunTransition>;

export type ScheduleRunMove = keyof typeof scheduleRunTransitions;
export const scheduleRunMoves = Object.keys(scheduleRunTransitions) as ScheduleRunMove[];
