import * as v from "valibot";
import { ScheduleRunRef } from "../schedules/schedule-run.ts";
import { RunStatus } from "./run.ts";

/**
 * A run in the list over all sessions. What is unknown is absent: a cost without prices, a model that was not asked.
 *
 * @decided  ours; the wire has lists of one session's runs only
 */
export const ListedRun = v.object({
  run_id: v.string(),
  session_id: v.string(),
  session_name: v.optional(v.string()),
  component_type: v.picklist(["agent", "team", "workflow"]),
  component_id: v.string(),
  /** Of a stored component. */
  component_version: v.optional(v.number()),
  user_id: v.optional(v.string()),
  status: RunStatus,
  /** ISO 8601 in UTC, whole seconds. */
  created_at: v.string(),
  /** When the status last changed: of a run that has ended, its end. */
  updated_at: v.optional(v.string()),
  /** Seconds of execution, without waiting. */
  duration: v.optional(v.number()),
  /** Of a team with what its members used, of a workflow what its steps used. */
  input_tokens: v.optional(v.number()),
  output_tokens: v.optional(v.number()),
  total_tokens: v.optional(v.number()),
  /** Dollars, counted as the tokens are. */
  cost: v.optional(v.number()),
  model: v.optional(v.string()),
  model_provider: v.optional(v.string()),
  /** The first 200 characters of what was asked, and of the answer so far; a failed run has `error` instead of that. */
  input_preview: v.string(),
  content_preview: v.optional(v.string()),
  error: v.optional(v.string()),
  attempt: v.number(),
  /** Whether a job of the queue executes it, or did. */
  queued: v.boolean(),
  /** The attempt of a schedule that started it. */
  schedule_run: v.optional(ScheduleRunRef),
});
export type ListedRun = v.InferOutput<typeof ListedRun>;

/** A page of a list that is continued by a cursor. */
export const ListedRuns = v.object({
  data: v.array(ListedRun),
  /** `next_cursor` gives the next page; null when there is none. */
  meta: v.object({
    next_cursor: v.nullable(v.string()),
    limit: v.number(),
    /** What this page took: with a rare filter it ends before it is full, and the next one goes on there. */
    looked_at: v.object({
      /** Runs that were read for it. */
      runs: v.number(),
      /** When the oldest of them was made, ISO 8601 in UTC; null where there was none. */
      back_to: v.nullable(v.string()),
    }),
  }),
});
