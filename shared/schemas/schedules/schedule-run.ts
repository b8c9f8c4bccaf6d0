import * as v from "valibot";
import { Requirement } from "../runs/run.ts";
import { StepRequirement } from "../runs/workflow-run.ts";
import { writtenAs } from "../values/written-as.ts";

/**
 * Five statuses of the wire, and three of ours for slots that were not run at once:
 * - `queued`   waits until the run before it has ended (policy `queue`)
 * - `skipped`  was not run, because the run before it had not ended (policy `skip`), or the schedule was disabled
 * - `missed`   arrived, or was found, too late to be run
 */
export const scheduleRunStatuses = [
  "queued",
  "running",
  "paused",
  "success",
  "failed",
  "cancelled",
  "skipped",
  "missed",
] as const;
export type ScheduleRunStatus = (typeof scheduleRunStatuses)[number];

/** What a run of any kind waits for. */
export const RunRequirement = v.union([Requirement, StepRequirement]);

const text = v.nullable(v.string());
/** Epoch seconds. */
const instant = v.number();

/** One attempt at one slot of a schedule, or at a run that was triggered by hand. */
export const ScheduleRun = v.object({
  id: v.string(),
  schedule_id: v.string(),
  /** The schedule's owner. */
  user_id: text,
  /** Counted from 1. */
  attempt: v.number(),
  /** When it was due; the same as `created_at`. */
  triggered_at: instant,
  completed_at: v.nullable(instant),
  status: v.picklist(scheduleRunStatuses),
  /** HTTP status of the call; null if there was no answer. */
  status_code: v.nullable(v.number()),
  /** Of the run that the call started. */
  run_id: text,
  session_id: text,
  /** The answer of a call that failed, or why it was not made. */
  error: text,
  input: v.nullable(v.object({ input_content: v.string() })),
  output: v.nullable(v.object({ content: v.unknown(), content_type: v.string() })),
  /** What a paused run waits for. */
  requirements: v.nullable(v.array(writtenAs(v.unknown(), RunRequirement))),
  created_at: instant,
});
export type ScheduleRun = v.InferOutput<typeof ScheduleRun>;

/** Identifies the attempt that started a run, so that the run's end can be recorded there. */
export const ScheduleRunRef = v.object({ schedule_id: v.string(), schedule_run_id: v.string() });
export type ScheduleRunRef = v.InferOutput<typeof ScheduleRunRef>;
