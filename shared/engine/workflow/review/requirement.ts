import { openStepQuestions } from "../../../domain/runs/open-requirements.ts";
import type { StepRequirement, UserInputValue } from "../../../schemas/runs/workflow-run.ts";
import type { StepReview, WorkflowStep } from "../../define/workflow.ts";
import type { Place } from "../scope.ts";

/** A requirement that asks for nothing yet. Its `step_id` is the step's path, by which answers are matched. */
export function openRequirement(
  step: Pick<WorkflowStep, "type">,
  place: Place,
  review: StepReview = {},
): StepRequirement {
  return {
    step_id: place.path,
    step_name: place.name,
    step_index: place.index,
    step_type: step.type,
    requires_confirmation: false,
    confirmation_message: null,
    confirmed: null,
    on_reject: review.on_reject ?? "skip",
    requires_user_input: false,
    user_input_message: null,
    user_input: null,
    requires_route_selection: false,
    available_choices: null,
    allow_multiple_selections: false,
    selected_choices: null,
    requires_output_review: false,
    output_review_message: null,
    is_post_execution: false,
    rejection_feedback: null,
    retry_count: 0,
    max_retries: review.max_retries ?? 0,
    timeout_at: null,
    on_timeout: review.on_timeout ?? "cancel",
  };
}

/** The same with a deadline, where the step has a timeout. @param nowMs epoch milliseconds */
export function withTimeout(
  requirement: StepRequirement,
  { timeout_seconds }: StepReview,
  nowMs: number,
): StepRequirement {
  if (timeout_seconds === undefined) return requirement;
  return { ...requirement, timeout_at: new Date(nowMs + timeout_seconds * 1000).toISOString() };
}

/** Fields that a person is asked for, not filled in yet. */
export const emptyFields = (review: StepReview): UserInputValue[] =>
  (review.user_input_schema ?? []).map(({ name, field_type, description, required, allowed_values }) => ({
    name,
    field_type,
    description: description ?? null,
    value: null,
    required: required ?? true,
    ...(allowed_values && { allowed_values: [...allowed_values] }),
  }));

/** Whether everything that a requirement asks for has been answered; a refusal counts as the answer to all of it. */
export const isAnswered = (requirement: StepRequirement): boolean =>
  requirement.confirmed === false || openStepQuestions(requirement).length === 0;
