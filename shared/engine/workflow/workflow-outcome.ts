import type { FailureCause } from "../../domain/jobs/failure-cause.ts";
import { outputMedia } from "../../domain/runs/output-media.ts";
import type { RunMetrics } from "../../schemas/runs/run.ts";
import type { StepOutput, StepRequirement, WorkflowRunOutput } from "../../schemas/runs/workflow-run.ts";
import { ownMember } from "../../schemas/values/json-values.ts";
import type { Workflow } from "../define/workflow.ts";
import { metricsWithin, secondsBetween, sumOfMetrics, wholeSum } from "../run/metrics.ts";
import type { WorkflowState } from "../run/workflow-state.ts";
import { isAnswered } from "./review/requirement.ts";
import type { Scope } from "./scope.ts";

/** Why a workflow takes no further step in this execution. */
export type WorkflowEnding =
  | { readonly kind: "completed"; readonly content: unknown }
  | { readonly kind: "paused" }
  | { readonly kind: "yielded" }
  | { readonly kind: "cancelled"; readonly reason: string }
  /** A person refused a step, and that ends the workflow. */
  | { readonly kind: "refused"; readonly reason: string }
  | {
      readonly kind: "failed";
      readonly error: string;
      readonly cause: FailureCause;
      /** Of the step that failed, as in `StepFailed`. */
      readonly error_type?: string;
    };

/** How one execution ended. `output` is the run as it will be stored; its `status` agrees with the outcome. */
export type WorkflowOutcome =
  | { readonly status: "COMPLETED" | "CANCELLED"; readonly output: WorkflowRunOutput }
  | { readonly status: "PAUSED"; readonly output: WorkflowRunOutput; readonly state: WorkflowState }
  | {
      readonly status: "ERROR";
      readonly output: WorkflowRunOutput;
      readonly error: string;
      readonly cause: FailureCause;
      readonly error_type: string;
    }
  | { readonly status: "YIELDED"; readonly state: WorkflowState };

/** Emits the last events of an execution and returns its outcome. @source docs/interface/runs.md 5.10 */
export function workflowOutcome(
  ending: WorkflowEnding,
  workflow: Workflow,
  request: WorkflowRequest,
  scope: Scope,
): WorkflowOutcome {
  const state = scope.progress.state();
  const output = (ended: Ended) => outputOf(workflow, request, scope, ended);
  switch (ending.kind) {
    case "yielded":
      return { status: "YIELDED", state };
    case "completed": {
      const done = output({ status: "COMPLETED", content: ending.content });
      scope.emit(completed(done));
      return { status: "COMPLETED", output: done };
    }
    case "paused": {
      const paused = output({ status: "PAUSED", content: "Waiting for a person.", ...pauseOf(state) });
      scope.emit(pausedEvent(paused));
      scope.emit({ event: "WorkflowRunOutput", ...paused });
      return { status: "PAUSED", output: paused, state };
    }
    case "cancelled":
    case "refused": {
      const content = lastContent(state) ?? ending.reason;
      const cancelled = output({ status: "CANCELLED", content });
      scope.emit({ event: "WorkflowCancelled", reason: ending.reason, content });
      if (ending.kind === "cancelled") scope.emit(completed(cancelled));
      return { status: "CANCELLED", output: cancelled };
    }
    case "failed": {
      const { error, cause, error_type = cause } = ending;
      scope.emit({ event: "WorkflowError", error, error_type: cause });
      const failed = output({ status: "ERROR", content: error });
      return { status: "ERROR", output: failed, error, cause, error_type };
    }
  }
}

type Ended = Pick<WorkflowRunOutput, "status"> & Partial<WorkflowRunOutput>;

function outputOf(
  { id, name }: Workflow,
  { run_id, session_id, user_id, input, metadata, created_at }: WorkflowRequest,
  { progress, ports, sessionState }: Scope,
  ended: Ended,
): WorkflowRunOutput {
  const state = progress.state();
  const step_requirements = Object.values(state.requirements);
  const waiting = Object.values(state.nested).flatMap(({ paused, output }) => (paused && output) || []);
  const executorRuns = [...state.executor_runs, ...waiting];
  const finish_reason = resultsOf(state).findLast(isCut)?.finish_reason;
  const parts = executorRuns.flatMap(metricsWithin);
  const metrics = metricsOf(state, parts, ports.clock.now());
  const total_metrics = { ...wholeSum(parts), duration: metrics.duration };
  return {
    run_id,
    session_id,
    ...(user_id !== null && { user_id }),
    workflow_id: id,
    workflow_name: name,
    input,
    content_type: typeof ended.content === "string" ? "str" : "dict",
    ...(finish_reason && { finish_reason }),
    ...outputMedia(...resultsOf(state)),
    step_results: resultsOf(state),
    ...(executorRuns.length > 0 && { step_executor_runs: executorRuns }),
    // Requirements stay on the record after they are answered, as they do with agents.
    ...(step_requirements.length > 0 && { step_requirements }),
    metrics,
    total_metrics,
    ...(metadata && { metadata: { ...metadata } }),
    session_state: { ...sessionState.current() },
    created_at,
    ...ended,
  };
}

/** In the order in which the steps finished. */
const resultsOf = ({ finished, results }: WorkflowState) => finished.flatMap((path) => results[path] ?? []);

/** Whether a step's answer is not a whole one. */
const isCut = ({ finish_reason }: StepOutput): boolean => finish_reason !== undefined;

const lastContent = (state: WorkflowState): unknown =>
  resultsOf(state)
    .filter(({ success }) => success)
    .at(-1)?.content;

/**
 * The metrics of its steps.
 *
 * @source docs/interface/runs.md 4.4
 * @param parts  of the runs within it that have ended, or wait for a person
 * @decided ours: the sums of all runs within it stand beside `steps`, so that every kind of run reports its usage
 */
function metricsOf(state: WorkflowState, parts: readonly (RunMetrics | undefined)[], nowMs: number) {
  const steps = resultsOf(state).map(({ step_name, executor_type, executor_name, metrics }) => [
    step_name,
    { step_name, executor_type, executor_name, metrics },
  ]);
  const sums = sumOfMetrics(parts);
  return { ...sums, steps: Object.fromEntries(steps), duration: secondsBetween(state.started_at_ms, nowMs) };
}

/** What a paused workflow waits for. */
function pauseOf(state: WorkflowState): Partial<WorkflowRunOutput> {
  const error_requirements = Object.values(state.errors).filter(({ decision }) => decision === null);
  const first = openRequirements(state)[0] ?? error_requirements[0];
  const isExecutor = first !== undefined && "requires_executor_input" in first;
  return {
    ...(error_requirements.length > 0 && { error_requirements }),
    ...(first && { paused_step_index: first.step_index, paused_step_name: first.step_name }),
    pause_kind: isExecutor ? "executor" : "step",
  };
}

const openRequirements = ({ requirements, results, nested }: WorkflowState): StepRequirement[] =>
  Object.values(requirements).filter((one) =>
    one.requires_executor_input === true
      ? ownMember(nested, one.step_id)?.paused === true
      : !isAnswered(one) && !(one.step_id in results),
  );

const completed = (output: WorkflowRunOutput) => ({
  event: "WorkflowCompleted" as const,
  content: output.content ?? null,
  content_type: output.content_type ?? "str",
  ...(output.finish_reason && { finish_reason: output.finish_reason }),
  step_results: output.step_results,
  ...(output.metadata && { metadata: output.metadata }),
  ...(output.metrics && { metrics: output.metrics }),
});

function pausedEvent(output: WorkflowRunOutput) {
  const { status, paused_step_index, paused_step_name, pause_kind, step_results, step_executor_runs } =
    output;
  const { step_requirements, metadata } = output;
  return {
    event: "WorkflowPaused" as const,
    status,
    step_results,
    ...(paused_step_index !== undefined && { paused_step_index }),
    ...(paused_step_name !== undefined && { paused_step_name }),
    ...(pause_kind && { pause_kind }),
    ...(step_requirements && { step_requirements }),
    ...(step_executor_runs && { step_executor_runs }),
    ...(metadata && { metadata }),
  };
}

/** A workflow's run, as it was accepted. */
export type WorkflowRequest = {
  readonly run_id: string;
  readonly session_id: string;
  readonly user_id: string | null;
  readonly input: unknown;
  readonly session_state: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Epoch seconds at which the run was accepted. */
  readonly created_at: number;
};
