import * as v from "valibot";
import { ShownCallback } from "../deliveries/callback.ts";
import { FeedbackLinks } from "../feedback/feedback-links.ts";
import { writtenAs } from "../values/written-as.ts";
import { FinishReason } from "./finish-reason.ts";
import { Media, OutputMedia } from "./media.ts";
import { Requirement, RunMetrics, RunOutput, RunStatus } from "./run.ts";
import { WithheldAnswer } from "./withheld-answer.ts";

const json = v.record(v.string(), v.unknown());

/** The output of a step. Every key is always present. @source docs/interface/runs.md 4.5 */
export const StepOutput = v.object({
  content: v.unknown(),
  step_name: v.string(),
  step_id: v.string(),
  step_type: v.string(),
  executor_type: v.nullable(v.picklist(["agent", "team", "function", "workflow"])),
  executor_name: v.nullable(v.string()),
  /** The run of the step's agent or team. */
  step_run_id: v.nullable(v.string()),
  images: v.nullable(v.array(Media)),
  videos: v.nullable(v.array(Media)),
  audio: v.nullable(v.array(Media)),
  files: v.nullable(v.array(Media)),
  metrics: v.nullable(writtenAs(json, RunMetrics)),
  /** Ours: why its agent's or team's answer is not a whole one; absent from every other step. */
  finish_reason: v.optional(FinishReason),
  success: v.boolean(),
  error: v.nullable(v.string()),
  /** Whether the workflow ended after this step. */
  stop: v.boolean(),
  is_paused: v.boolean(),
});
export type StepOutput = v.InferOutput<typeof StepOutput>;

export const UserInputValue = v.object({
  name: v.string(),
  field_type: v.string(),
  description: v.nullable(v.string()),
  value: v.unknown(),
  required: v.boolean(),
  allowed_values: v.optional(v.array(v.unknown())),
});
export type UserInputValue = v.InferOutput<typeof UserInputValue>;

/** What a paused step waits for. Nulls are kept. @source docs/interface/runs.md 4.5 */
export const StepRequirement = v.object({
  step_id: v.string(),
  step_name: v.string(),
  step_index: v.number(),
  step_type: v.string(),
  requires_confirmation: v.boolean(),
  confirmation_message: v.nullable(v.string()),
  confirmed: v.nullable(v.boolean()),
  on_reject: v.picklist(["skip", "cancel", "else", "retry"]),
  requires_user_input: v.boolean(),
  user_input_message: v.nullable(v.string()),
  user_input: v.nullable(json),
  user_input_schema: v.optional(v.array(UserInputValue)),
  requires_route_selection: v.boolean(),
  available_choices: v.nullable(v.array(v.string())),
  allow_multiple_selections: v.boolean(),
  selected_choices: v.nullable(v.array(v.string())),
  requires_output_review: v.boolean(),
  output_review_message: v.nullable(v.string()),
  is_post_execution: v.boolean(),
  step_output: v.optional(StepOutput),
  edited_output: v.optional(v.unknown()),
  rejection_feedback: v.nullable(v.string()),
  retry_count: v.number(),
  max_retries: v.number(),
  /** ISO 8601, or null when the step waits without a limit. */
  timeout_at: v.nullable(v.string()),
  on_timeout: v.picklist(["cancel", "skip", "approve"]),
  requires_executor_input: v.optional(v.boolean()),
  executor_requirements: v.optional(v.array(Requirement)),
  executor_id: v.optional(v.string()),
  executor_name: v.optional(v.string()),
  executor_run_id: v.optional(v.string()),
  executor_type: v.optional(v.picklist(["agent", "team"])),
  executor_session_id: v.optional(v.string()),
});
export type StepRequirement = v.InferOutput<typeof StepRequirement>;

/** What a failed step waits for if its failure asks a person. */
export const ErrorRequirement = v.object({
  step_id: v.string(),
  step_name: v.string(),
  step_index: v.number(),
  error_message: v.string(),
  error_type: v.string(),
  retry_count: v.number(),
  decision: v.nullable(v.picklist(["retry", "skip"])),
});
export type ErrorRequirement = v.InferOutput<typeof ErrorRequirement>;

const { step_name, executor_type, executor_name, metrics } = StepOutput.entries;

/** The metrics of one step. */
export const StepMetrics = v.object({ step_name, executor_type, executor_name, metrics });

/** Metrics of a workflow's run: the sums of all runs within it, and each step's own by its name. */
export const WorkflowMetrics = v.object({
  ...RunMetrics.entries,
  steps: v.optional(v.record(v.string(), writtenAs(v.unknown(), StepMetrics))),
});
export type WorkflowMetrics = v.InferOutput<typeof WorkflowMetrics>;

/** A workflow's run as every run route shows it. @source docs/interface/runs.md 4.2 */
export const WorkflowRunOutput = v.object({
  run_id: v.string(),
  session_id: v.string(),
  user_id: v.optional(v.string()),
  workflow_id: v.string(),
  workflow_name: v.string(),
  parent_run_id: v.optional(v.string()),
  /** As it was sent, not wrapped. */
  input: v.unknown(),
  content: v.optional(v.unknown()),
  content_type: v.optional(v.string()),
  /** Ours: that of the last of its steps whose answer is not a whole one. */
  finish_reason: v.optional(FinishReason),
  /** Made by its steps. */
  ...OutputMedia.entries,
  step_results: v.array(StepOutput),
  step_executor_runs: v.optional(v.array(RunOutput)),
  step_requirements: v.optional(v.array(StepRequirement)),
  error_requirements: v.optional(v.array(ErrorRequirement)),
  paused_step_index: v.optional(v.number()),
  paused_step_name: v.optional(v.string()),
  pause_kind: v.optional(v.picklist(["step", "executor"])),
  metrics: v.optional(WorkflowMetrics),
  /** Ours: the same without its steps, as teams have it. */
  total_metrics: v.optional(RunMetrics),
  metadata: v.optional(json),
  session_state: v.optional(json),
  created_at: v.number(),
  status: RunStatus,
  /** Ours: who is notified when it ends, for a run that is polled. */
  callback: v.optional(ShownCallback),
  /** Ours: what guards of its steps have refused, for admins, where their component keeps it. */
  withheld: v.optional(v.array(WithheldAnswer)),
  /** Ours: addresses on which feedback on it is given, by key, where its request named some. */
  feedback: v.optional(FeedbackLinks),
});
export type WorkflowRunOutput = v.InferOutput<typeof WorkflowRunOutput>;
