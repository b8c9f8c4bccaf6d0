import type { ScheduleRunStatus } from "../../schemas/schedules/schedule-run.ts";

/**
 * What an attempt waits for, while it waits for anything:
 * - `call`   the answer of the endpoint
 * - `run`    the end of the run that the call started
 * - `retry`  the next attempt
 *
 * Each has a time (`due_at`) at which somebody looks after it, whatever happens.
 */
export const scheduleRunStages = ["call", "run", "retry"] as const;
export type ScheduleRunStage = (typeof scheduleRunStages)[number];

export type ScheduleRunTransition = {
  readonly from: readonly ScheduleRunStatus[];
  /** What it must be waiting for; anything when absent. */
  readonly during?: ScheduleRunStage;
  readonly to: ScheduleRunStatus;
  /** What it waits for afterwards; nothing when absent. */
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
 * @source contract, schedules section 8; `queued`, `skipped` and `missed` are ours
 */
export const scheduleRunTransitions = {
  /** The run before it has ended: its turn. */
  start: { from: ["queued"], to: "running", leads: "call" },
  /** Whoever calls the endpoint has it for itself for as long as a call can take. */
  call: { from: ["running"], during: "call", to: "running", leads: "call" },
  /** The call started a run. */
  follow: { from: ["running"], during: "call", to: "running", leads: "run" },
  succeed: { from: ["running", "paused"], to: "success" },
  pause: { from: ["running"], to: "paused" },
  fail: { from: ["running", "paused"], to: "failed" },
  /** Failed, and another attempt will follow. */
  failForNow: { from: ["running"], to: "failed", leads: "retry" },
  /** The next attempt has begun, or there will be none any more. */
  leaveRetry: { from: ["failed"], during: "retry", to: "failed" },
  /** Its turn came when the schedule was disabled. */
  drop: { from: ["queued", "running"], to: "cancelled" },
} as const satisfies Record<string, ScheduleRunTransition>;

export type ScheduleRunMove = keyof typeof scheduleRunTransitions;
export const scheduleRunMoves = Object.keys(scheduleRunTransitions) as ScheduleRunMove[];
