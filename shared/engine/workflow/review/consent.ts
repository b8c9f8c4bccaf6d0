import { isTimedOut } from "../../../domain/runs/open-requirements.ts";
import type { StepRequirement } from "../../../schemas/runs/workflow-run.ts";
import { ownMember } from "../../../schemas/values/json-values.ts";
import type { StepReview, WorkflowStep } from "../../define/workflow.ts";
import {
  type Place,
  type Scope,
  StepRefused,
  type StepsResult,
  skippedStep,
  waitForPerson,
} from "../scope.ts";
import { emptyFields, isAnswered, openRequirement, withTimeout } from "./requirement.ts";

/** The answer to a step's review before it begins. */
export type Consent =
  | { readonly answer: "granted"; readonly user_input?: Readonly<Record<string, unknown>> }
  /** Not answered yet. */
  | { readonly answer: "waits" }
  | { readonly answer: "refused" }
  /** Refused, and the step's else branch is to run. */
  | { readonly answer: "else" };

type ReviewedStep = Pick<WorkflowStep, "type"> & { readonly review?: StepReview };

/**
 * Asks for consent where a step needs one, and reads the answer once it is there.
 *
 * @throws StepRefused when a refusal or a timeout cancels the workflow
 */
export function consentTo(step: ReviewedStep, place: Place, scope: Scope): Consent {
  const { review } = step;
  if (!review || !(review.requires_confirmation || review.requires_user_input)) return { answer: "granted" };
  const asked = ownMember(scope.progress.state().requirements, place.path);
  if (!asked) {
    ask(step, review, place, scope);
    return { answer: "waits" };
  }
  if (isAnswered(asked)) return consentFrom(asked, place, scope);
  return isTimedOut(asked, scope.ports.clock.now()) ? timedOut(asked, place, scope) : { answer: "waits" };
}

/** The result of a step without an else branch that may not begin; undefined when it may. */
export function unlessConsented(
  step: ReviewedStep,
  place: Place,
  previous: unknown,
  scope: Scope,
): StepsResult | undefined {
  const { answer } = consentTo(step, place, scope);
  if (answer === "waits") return waitForPerson(scope);
  return answer === "granted" ? undefined : skippedStep(previous);
}

function ask(step: ReviewedStep, review: StepReview, place: Place, scope: Scope): void {
  const fields = emptyFields(review);
  const requirement = {
    ...openRequirement(step, place, review),
    requires_confirmation: review.requires_confirmation ?? false,
    confirmation_message: review.confirmation_message ?? null,
    requires_user_input: review.requires_user_input ?? false,
    user_input_message: review.user_input_message ?? null,
    ...(fields.length > 0 && { user_input_schema: fields }),
  };
  scope.progress.require(place.path, withTimeout(requirement, review, scope.ports.clock.now()));
  scope.emit({
    event: "StepPaused",
    step_name: place.name,
    step_index: place.index,
    step_id: place.path,
    requires_confirmation: requirement.requires_confirmation,
    confirmation_message: requirement.confirmation_message,
    requires_user_input: requirement.requires_user_input,
    user_input_message: requirement.user_input_message,
    ...(fields.length > 0 && { user_input_schema: fields }),
  });
}

function consentFrom(asked: StepRequirement, place: Place, scope: Scope): Consent {
  if (asked.confirmed === false) return refusal(asked);
  if (scope.progress.isFirst(`${place.path}#continued`)) {
    const { name: step_name, index: step_index, path: step_id } = place;
    scope.emit({ event: "StepContinued", step_name, step_index, step_id });
  }
  return { answer: "granted", ...(asked.user_input && { user_input: asked.user_input }) };
}

function refusal({ on_reject, step_name, rejection_feedback }: StepRequirement): Consent {
  if (on_reject === "cancel") {
    const why = rejection_feedback === null ? "" : `: ${rejection_feedback}`;
    throw new StepRefused(`The step ${step_name} was refused${why}`);
  }
  return { answer: on_reject === "else" ? "else" : "refused" };
}

function timedOut(asked: StepRequirement, place: Place, scope: Scope): Consent {
  switch (asked.on_timeout) {
    case "approve":
      return consentFrom({ ...asked, confirmed: true }, place, scope);
    case "skip":
      return { answer: "refused" };
    case "cancel":
      throw new StepRefused(`The step ${asked.step_name} was not answered in time`);
  }
}
