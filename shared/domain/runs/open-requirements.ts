import type { Requirement, ToolExecution } from "../../schemas/runs/run.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { ErrorRequirement, StepRequirement } from "../../schemas/runs/workflow-run.ts";

/** What a person is asked about a call. */
export type OpenCallQuestion = "confirmation" | "user_input" | "user_feedback" | "external_execution";

/** What a person is asked about a workflow's step. */
export type OpenStepQuestion = "confirmation" | "output_review" | "user_input" | "route_selection";

/** A call as far as it says what is open; both the record and what clients read of it fit. */
type AskedCall = Readonly<
  Pick<
    ToolExecution,
    "result" | "confirmed" | "requires_confirmation" | "answered" | "external_execution_required"
  >
> & { readonly user_input_schema: unknown; readonly user_feedback_schema: unknown };

type AskedRequirement = { readonly tool_execution: AskedCall };

/** A step as far as it says what is open. */
type AskedStep<R> = Readonly<
  Pick<
    StepRequirement,
    | "step_id"
    | "requires_confirmation"
    | "requires_output_review"
    | "requires_user_input"
    | "requires_route_selection"
    | "confirmed"
    | "user_input"
    | "is_post_execution"
  >
> & {
  readonly selected_choices: readonly string[] | null;
  readonly requires_executor_input?: boolean | undefined;
  readonly executor_run_id?: string | undefined;
  readonly executor_requirements?: readonly R[] | undefined;
  readonly step_output?: unknown;
};

type AskedFailure = Readonly<Pick<ErrorRequirement, "decision">>;

/** A call that waits, with at least one open question. */
export type OpenCall<R = Requirement> = {
  readonly requirement: R;
  readonly questions: readonly OpenCallQuestion[];
};

/** A step that waits: for answers about itself, or for answers to the calls of its agent or team. */
export type OpenStep<R = Requirement, S = StepRequirement> = {
  readonly requirement: S;
  readonly questions: readonly OpenStepQuestion[];
  readonly calls: readonly OpenCall<R>[];
};

/** What a paused run waits for. Calls of agents and teams, or steps and failures of a workflow. */
export type OpenRequirements<R = Requirement, S = StepRequirement, F = ErrorRequirement> = {
  readonly calls: readonly OpenCall<R>[];
  readonly steps: readonly OpenStep<R, S>[];
  readonly failures: readonly F[];
};

type Nested = Readonly<Pick<StoredOutput, "run_id" | "status">>;
type Output<R, S, F> = {
  readonly requirements?: readonly R[] | undefined;
  readonly step_requirements?: readonly S[] | undefined;
  readonly error_requirements?: readonly F[] | undefined;
  readonly step_results?: readonly { readonly step_id: string }[] | undefined;
  readonly step_executor_runs?: readonly Nested[] | undefined;
};

/**
 * Reads from the record of a paused run what is still open. A record keeps the requirements of earlier pauses, so one
 * that is listed need not be open.
 *
 * @source docs/interface/runs.md 7.2
 */
export function openRequirements<
  R extends AskedRequirement = Requirement,
  S extends AskedStep<R> = StepRequirement & AskedStep<R>,
  F extends AskedFailure = ErrorRequirement,
>(output: Output<R, S, F>): OpenRequirements<R, S, F> {
  const { requirements = [], step_requirements = [], error_requirements = [] } = output;
  return {
    calls: openCalls(requirements),
    steps: step_requirements.flatMap((one) => openStep(one, output) ?? []),
    failures: error_requirements.filter(({ decision }) => decision === null),
  };
}

/** The questions about a call that have no answer yet; a refusal answers all of them. */
export function openCallQuestions(call: AskedCall): OpenCallQuestion[] {
  if (call.result !== null || call.confirmed === false) return [];
  const isOpen: Record<OpenCallQuestion, boolean> = {
    confirmation: call.requires_confirmation === true && call.confirmed === null,
    user_input: call.user_input_schema !== null && call.answered !== true,
    user_feedback: call.user_feedback_schema !== null && call.answered !== true,
    external_execution: call.external_execution_required === true,
  };
  return (Object.keys(isOpen) as OpenCallQuestion[]).filter((question) => isOpen[question]);
}

/** The same of a step. A refused step needs no input, but a router cannot go on without a choice. */
export function openStepQuestions(step: AskedStep<unknown>): OpenStepQuestion[] {
  const isOpen: Record<OpenStepQuestion, boolean> = {
    confirmation: step.requires_confirmation && step.confirmed === null,
    output_review: step.requires_output_review && step.confirmed === null,
    user_input: step.requires_user_input && step.user_input === null && step.confirmed !== false,
    route_selection: step.requires_route_selection && step.selected_choices === null,
  };
  return (Object.keys(isOpen) as OpenStepQuestion[]).filter((question) => isOpen[question]);
}

/** Whether the deadline of a step's question has passed. @param nowMs epoch milliseconds */
export const isTimedOut = ({ timeout_at }: StepRequirement, nowMs: number): boolean =>
  timeout_at !== null && Date.parse(timeout_at) <= nowMs;

const openCalls = <R extends AskedRequirement>(requirements: readonly R[]): OpenCall<R>[] =>
  requirements.flatMap((requirement) => {
    const questions = openCallQuestions(requirement.tool_execution);
    return questions.length > 0 ? [{ requirement, questions }] : [];
  });

function openStep<R extends AskedRequirement, S extends AskedStep<R>>(
  requirement: S,
  output: Output<R, S, unknown>,
): OpenStep<R, S> | undefined {
  const { step_id, requires_executor_input, executor_requirements = [] } = requirement;
  if (output.step_results?.some((result) => result.step_id === step_id)) return undefined;
  if (requires_executor_input) {
    const calls = openCalls(executor_requirements);
    return executorWaits(requirement, output.step_executor_runs ?? []) && calls.length > 0
      ? { requirement, questions: [], calls }
      : undefined;
  }
  // The output was refused; the step makes it again before anybody is asked about it.
  if (requirement.is_post_execution && requirement.step_output === undefined) return undefined;
  const questions = openStepQuestions(requirement);
  return questions.length > 0 ? { requirement, questions, calls: [] } : undefined;
}

/** The calls on the requirement stay as they were shown; only the run that made them says that it has gone on. */
const executorWaits = ({ executor_run_id }: AskedStep<unknown>, executed: readonly Nested[]): boolean =>
  executed.every(({ run_id, status }) => run_id !== executor_run_id || status === "PAUSED");
