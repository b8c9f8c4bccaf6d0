import * as v from "valibot";
import { FinishReason } from "../../schemas/runs/finish-reason.ts";
import { OutputMedia } from "../../schemas/runs/media.ts";
import { Requirement } from "../../schemas/runs/run.ts";
import type { WorkflowEventBody } from "../../schemas/runs/workflow-event.ts";
import {
  StepOutput,
  StepRequirement,
  WorkflowMetrics,
  WorkflowRunOutput,
} from "../../schemas/runs/workflow-run.ts";
import type { EventTable } from "./event-table.ts";

const text = v.string();
const count = v.number();
const json = v.record(v.string(), v.unknown());
const step = { step_name: text, step_index: count };
const named = { ...step, step_id: text };
const executor = {
  executor_id: text,
  executor_name: text,
  executor_run_id: text,
  executor_type: v.picklist(["agent", "team"]),
};
const results = v.array(StepOutput);
const run = WorkflowRunOutput.entries;
const requirement = StepRequirement.entries;

/** What happens in a run of a workflow, but for the paused run as a whole. */
export const workflowEvents = {
  WorkflowStarted: v.object({}),
  WorkflowCompleted: v.object({
    content: v.unknown(),
    content_type: text,
    finish_reason: v.exactOptional(FinishReason),
    metadata: v.exactOptional(json),
    metrics: v.exactOptional(WorkflowMetrics),
    step_results: results,
  }),
  WorkflowPaused: v.object({
    status: run.status,
    paused_step_index: run.paused_step_index,
    paused_step_name: run.paused_step_name,
    pause_kind: run.pause_kind,
    step_requirements: run.step_requirements,
    step_results: run.step_results,
    step_executor_runs: run.step_executor_runs,
    metadata: run.metadata,
  }),
  WorkflowCancelled: v.object({ reason: text, content: v.unknown() }),
  WorkflowError: v.object({ error: text, error_type: v.exactOptional(text) }),
  WorkflowSessionStateConflict: v.object({ keys: v.array(v.string()) }),
  StepStarted: v.object(step),
  StepCompleted: v.object({
    ...step,
    ...OutputMedia.entries,
    content: v.unknown(),
    content_type: text,
    step_response: StepOutput,
  }),
  StepOutput: v.object({ ...step, step_output: StepOutput }),
  StepPaused: v.object({
    ...named,
    requires_confirmation: requirement.requires_confirmation,
    confirmation_message: requirement.confirmation_message,
    requires_user_input: requirement.requires_user_input,
    user_input_message: requirement.user_input_message,
    user_input_schema: v.exactOptional(requirement.user_input_schema),
  }),
  StepContinued: v.object(named),
  StepExecutorPaused: v.object({ ...named, ...executor, executor_requirements: v.array(Requirement) }),
  StepExecutorContinued: v.object({ ...named, ...executor }),
  StepOutputReview: v.object({
    ...step,
    output_review_message: v.nullable(text),
    requires_output_review: v.literal(true),
  }),
  StepError: v.object({ ...step, error: text }),
  LoopExecutionStarted: v.object({ ...step, max_iterations: count }),
  LoopIterationStarted: v.object({ ...step, iteration: count }),
  LoopIterationCompleted: v.object({
    ...step,
    iteration: count,
    iteration_results: results,
    should_continue: v.boolean(),
  }),
  LoopExecutionCompleted: v.object({ ...step, total_iterations: count, all_results: results }),
  ParallelExecutionStarted: v.object({ ...step, parallel_step_count: count }),
  ParallelExecutionCompleted: v.object({ ...step, parallel_step_count: count, step_results: results }),
  ConditionExecutionStarted: v.object({ ...step, condition_result: v.boolean() }),
  ConditionExecutionCompleted: v.object({
    ...step,
    condition_result: v.boolean(),
    branch: v.nullable(v.picklist(["if", "else"])),
    executed_steps: count,
    step_results: results,
  }),
  RouterExecutionStarted: v.object({ ...step, selected_steps: v.array(text) }),
  RouterExecutionCompleted: v.object({
    ...step,
    selected_steps: v.array(text),
    executed_steps: count,
    step_results: results,
  }),
  RouterPaused: v.object({
    ...step,
    available_choices: v.array(text),
    user_input_message: v.nullable(text),
    allow_multiple_selections: v.boolean(),
  }),
  StepsExecutionStarted: v.object({ ...step, steps_count: count }),
  StepsExecutionCompleted: v.object({
    ...step,
    steps_count: count,
    executed_steps: count,
    step_results: results,
  }),
} satisfies EventTable<Exclude<WorkflowEventBody, { event: "WorkflowRunOutput" }>>;
