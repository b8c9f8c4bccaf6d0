import type { Requirement, ToolExecution } from "../../schemas/runs/run.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { ErrorRequirement, StepRequirement } from "../../schemas/runs/workflow-run.ts";

/** What a person is asked about a call. */
export type OpenCallQuestion = "confirmation" | "user_input" | "user_feedback" | "external_execution";

/** What a person is asked about a workflow's step. */
export type OpenStepQuestion = "confirmation" | "output_review" | "user_input" | "route_selection";

/** A call that waits, with at least one open question. */
export type OpenCall = { readonly requirement: Requirement; readonly questions: readonly OpenCallQuestion[] };

/** A step that waits: for answers about itself, or for answers to the calls of its agent or team. */
export type OpenStep = {
  readonly requirement: StepRequirement;
  readonly questions: readonly OpenStepQuestion[];
  readonly calls: readonly OpenCall[];
};

/** What a paused run waits for. Calls of agents and teams, or steps and failures of a workflow. */
export type OpenRequirements = {
  readonly calls: readonly OpenCall[];
  readonly steps: readonly OpenStep[];
  readonly failures: readonly ErrorRequirement[];
};

type Output = Pick<
  StoredOutput,
  "requirements" | "step_requirements" | "error_requirements" | "step_results" | "step_executor_runs"
>;

/**
 * Reads from the record of a paused run what is still open. A record keeps the requirements of earlier pauses, so one
 * that is listed need not be open.
 *
 * @source contract, runs-and-queue 4.8, 4.9 and section 7, "How answers are given"
 */
export function openRequirements(output: Output): OpenRequirements {
  const { requirements = [], step_requirements = [], error_requirements = [] } = output;
  return {
    calls: openCalls(requirements),
    steps: step_requirements.flatMap((one) => openStep(one, output) ?? []),
    failures: error_requirements.filter(({ decision }) => decision === null),
  };
}

/** The questions about a call that nobody has answered yet; a refusal answers all of them. */
export function openCallQuestions(call: ToolExecution): OpenCallQuestion[] {
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
export function openStepQuestions(step: StepRequirement): OpenStepQuestion[] {
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

const openCalls = (requirements: readonly Requirement[]): OpenCall[] =>
  requirements.flatMap((requirement) => {
    const questions = openCallQuestions(requirement.tool_execution);
    return questions.length > 0 ? [{ requirement, questions }] : [];
  });

function openStep(requirement: StepRequirement, output: Output): OpenStep | undefined {
  const { step_id, requires_executor_input, executor_requirements = [] } = requirement;
  if (output.step_results?.some((result) => result.step_id === step_id)) return undefined;
  if (requires_executor_input) {
    const calls = openCalls(executor_requirements);
    return executorWaits(requirement, output) && calls.length > 0
      ? { requirement, questions: [], calls }
      : undefined;
  }
  // The output was refused; the step makes it again before anybody is asked about it.
  if (requirement.is_post_execution && requirement.step_output === undefined) return undefined;
  const questions = openStepQuestions(requirement);
  return questions.length > 0 ? { requirement, questions, calls: [] } : undefined;
}

/** The calls on the requirement stay as they were shown; only the run that made them says that it has gone on. */
const executorWaits = ({ executor_run_id }: StepRequirement, { step_executor_runs = [] }: Output): boolean =>
  step_executor_runs.every(({ run_id, status }) => run_id !== executor_run_id || status === "PAUSED");
