import * as v from "valibot";
import { jsonObject } from "../values/fields.ts";
import { ScheduleRun } from "./schedule-run.ts";

const scheduleMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export const ScheduleMethod = v.picklist(scheduleMethods);

/** What happens with a slot while an earlier run of the schedule has not ended. */
const overlapPolicies = ["skip", "queue", "allow"] as const;
export const OverlapPolicy = v.picklist(overlapPolicies);
export type OverlapPolicy = (typeof overlapPolicies)[number];

const targetTypes = ["agent", "team", "workflow"] as const;
export const TargetType = v.picklist(targetTypes);
export type TargetType = (typeof targetTypes)[number];

/** The component that a schedule runs. */
export type ScheduleTarget = { readonly type: TargetType; readonly id: string };

const text = v.nullable(v.string());
/** Epoch seconds. */
const instant = v.number();

/**
 * A schedule as the wire shows it. Every field is always present.
 *
 * @source docs/interface/schedules.md 1.3; `overlap` is ours
 */
export const Schedule = v.object({
  id: v.string(),
  /** Its owner; null for a schedule without one. */
  user_id: text,
  name: v.string(),
  description: text,
  method: ScheduleMethod,
  endpoint: v.string(),
  payload: jsonObject(),
  cron_expr: v.string(),
  timezone: v.string(),
  timeout_seconds: v.number(),
  max_retries: v.number(),
  retry_delay_seconds: v.number(),
  overlap: OverlapPolicy,
  enabled: v.boolean(),
  /** Unchanged while the schedule is disabled. */
  next_run_at: v.nullable(instant),
  managed_by: text,
  target_type: v.nullable(TargetType),
  target_id: text,
  disabled_reason: text,
  created_at: instant,
  updated_at: v.nullable(instant),
});
export type Schedule = v.InferOutput<typeof Schedule>;

/** A schedule as lists show it. */
export const ListedSchedule = v.object({
  ...Schedule.entries,
  /** Ours: its newest attempts, the newest first, where they are asked for. */
  latest_runs: v.optional(v.array(ScheduleRun)),
});

/** The answer to enabling and disabling. */
export const ScheduleState = v.object({
  id: v.string(),
  name: v.string(),
  enabled: v.boolean(),
  next_run_at: v.nullable(instant),
  updated_at: v.nullable(instant),
});
export type ScheduleState = v.InferOutput<typeof ScheduleState>;

/**
 * The message of the scheduler at every slot: ids and the slot, never the request.
 *
 * `scheduled_time` is ISO 8601 in UTC and the same in every delivery of one slot. `plan_id` says which plan of the
 * schedule sent it: a message of an older plan is not a slot, see `isOwnSlot`.
 */
export const ScheduleMessage = v.object({
  schedule_id: v.string(),
  scheduled_time: v.string(),
  plan_id: v.optional(v.string()),
});
export type ScheduleMessage = v.InferOutput<typeof ScheduleMessage>;
