import type { FinishReason } from "./finish-reason.ts";
import type { OutputMedia } from "./media.ts";
import type { Requirement } from "./run.ts";
import type { StepOutput, StepRequirement, WorkflowMetrics, WorkflowRunOutput } from "./workflow-run.ts";

type Step = { step_name: string; step_index: number };
type Finished = { step_results: StepOutput[] };
type Executor = {
  executor_id: string;
  executor_name: string;
  executor_run_id: string;
  executor_type: "agent" | "team";
};

/**
 * What happened in a workflow's run, one member per type, without the fields that every event carries.
 *
 * @source docs/interface/runs.md 5.5
 */
export type WorkflowEventBody =
  | { event: "WorkflowStarted" }
  | ({ event: "WorkflowCompleted" } & Finished & {
        content: unknown;
        content_type: string;
        finish_reason?: FinishReason;
        metadata?: Record<string, unknown>;
        metrics?: WorkflowMetrics;
      })
  | ({ event: "WorkflowPaused" } & Pick<
      WorkflowRunOutput,
      | "status"
      | "paused_step_index"
      | "paused_step_name"
      | "pause_kind"
      | "step_requirements"
      | "step_results"
      | "step_executor_runs"
      | "metadata"
    >)
  /** The paused run as a whole, for old clients; its frame does not repeat the type. */
  | ({ event: "WorkflowRunOutput" } & WorkflowRunOutput)
  | { event: "WorkflowCancelled"; reason: string; content: unknown }
  | { event: "WorkflowError"; error: string; error_type?: string }
  /** Ours; see `SessionStateConflict` of agents. */
  | { event: "WorkflowSessionStateConflict"; keys: string[] }
  | ({ event: "StepStarted" } & Step)
  | ({ event: "StepCompleted" } & Step &
      OutputMedia & {
        content: unknown;
        content_type: string;
        step_response: StepOutput;
      })
  | ({ event: "StepOutput" } & Step & { step_output: StepOutput })
  | ({ event: "StepPaused"; step_id: string } & Step &
      Pick<
        StepRequirement,
        "requires_confirmation" | "confirmation_message" | "requires_user_input" | "user_input_message"
      > & { user_input_schema?: StepRequirement["user_input_schema"] })
  | ({ event: "StepContinued"; step_id: string } & Step)
  | ({ event: "StepExecutorPaused"; step_id: string; executor_requirements: Requirement[] } & Step & Executor)
  | ({ event: "StepExecutorContinued"; step_id: string } & Step & Executor)
  | ({ event: "StepOutputReview"; output_review_message: string | null; requires_output_review: true } & Step)
  | ({ event: "StepError"; error: string } & Step)
  | ({ event: "LoopExecutionStarted"; max_iterations: number } & Step)
  | ({ event: "LoopIterationStarted"; iteration: number } & Step)
  | ({
      event: "LoopIterationCompleted";
      iteration: number;
      iteration_results: StepOutput[];
      should_continue: boolean;
    } & Step)
  | ({ event: "LoopExecutionCompleted"; total_iterations: number; all_results: StepOutput[] } & Step)
  | ({ event: "ParallelExecutionStarted"; parallel_step_count: number } & Step)
  | ({ event: "ParallelExecutionCompleted"; parallel_step_count: number } & Finished & Step)
  | ({ event: "ConditionExecutionStarted"; condition_result: boolean } & Step)
  | ({
      event: "ConditionExecutionCompleted";
      condition_result: boolean;
      branch: "if" | "else" | null;
      executed_steps: number;
    } & Finished &
      Step)
  | ({ event: "RouterExecutionStarted"; selected_steps: string[] } & Step)
  | ({ event: "RouterExecutionCompleted"; selected_steps: string[]; executed_steps: number } & Finished &
      Step)
  | ({
      event: "RouterPaused";
      available_choices: string[];
      user_input_message: string | null;
      allow_multiple_selections: boolean;
    } & Step)
  | ({ event: "StepsExecutionStarted"; steps_count: number } & Step)
  | ({ event: "StepsExecutionCompleted"; steps_count: number; executed_steps: number } & Finished & Step);

/** Fields of every workflow event. @source docs/interface/runs.md 5.2 */
export type WorkflowEventBase = {
  created_at: number;
  workflow_id: string;
  workflow_name: string;
  run_id: string;
  session_id: string;
  step_id?: string;
  parent_step_id?: string;
  nested_depth: number;
};

export type WorkflowEvent = WorkflowEventBase & WorkflowEventBody;
