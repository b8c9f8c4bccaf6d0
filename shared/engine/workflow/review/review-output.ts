import { isTimedOut } from "../../../domain/runs/open-requirements.ts";
import type { StepOutput, StepRequirement } from "../../../schemas/runs/workflow-run.ts";
import { ownMember } from "../../../schemas/values/json-values.ts";
import type { StepOf, StepReview } from "../../define/workflow.ts";
import { type Place, type Scope, StepRefused } from "../scope.ts";
import { isAnswered, openRequirement, withTimeout } from "./requirement.ts";

export type Verdict =
  | { readonly verdict: "accepted"; readonly output: StepOutput }
  | { readonly verdict: "waits" }
  /** The step runs again, with the person's feedback. */
  | { readonly verdict: "retry" }
  | { readonly verdict: "skipped" };

/**
 * Asks a person to review a step's output where the step requires it, and reads the answer once it is there.
 *
 * @throws StepRefused when a refusal or a timeout cancels the workflow
 */
export function reviewOutput(step: StepOf<"Step">, place: Place, output: StepOutput, scope: Scope): Verdict {
  const { review } = step;
  if (!review?.requires_output_review) return { verdict: "accepted", output };
  const key = `${place.path}#output`;
  const asked = ownMember(scope.progress.state().requirements, key);
  if (!asked || asked.step_output === undefined) {
    ask(step, review, place, output, asked?.retry_count ?? 0, scope);
    return { verdict: "waits" };
  }
  if (isAnswered(asked)) return asked.confirmed ? accepted(asked, output) : refused(asked, key, place, scope);
  if (!isTimedOut(asked, scope.ports.clock.now())) return { verdict: "waits" };
  switch (asked.on_timeout) {
    case "approve":
      return accepted(asked, output);
    case "skip":
      return { verdict: "skipped" };
    case "cancel":
      throw new StepRefused(`The output of the step ${place.name} was not reviewed in time`);
  }
}

function ask(
  step: StepOf<"Step">,
  review: StepReview,
  place: Place,
  step_output: StepOutput,
  retry_count: number,
  scope: Scope,
): void {
  const output_review_message = review.output_review_message ?? null;
  const requirement = {
    ...openRequirement(step, place, review),
    requires_output_review: true,
    output_review_message,
    is_post_execution: true,
    step_output,
    retry_count,
  };
  scope.progress.require(`${place.path}#output`, withTimeout(requirement, review, scope.ports.clock.now()));
  scope.emit({
    event: "StepOutputReview",
    step_name: place.name,
    step_index: place.index,
    output_review_message,
    requires_output_review: true,
  });
}

const accepted = ({ edited_output }: StepRequirement, output: StepOutput): Verdict => ({
  verdict: "accepted",
  output:
    edited_output === undefined || edited_output === null ? output : { ...output, content: edited_output },
});

function refused(asked: StepRequirement, key: string, place: Place, { progress }: Scope): Verdict {
  const { on_reject, retry_count, max_retries, rejection_feedback } = asked;
  if (on_reject === "retry" && retry_count < max_retries) {
    const { step_output: _, ...unanswered } = asked;
    progress.require(key, { ...unanswered, confirmed: null, retry_count: retry_count + 1 });
    progress.clearDecision(`${place.path}#begun`);
    progress.clearDecision(`${place.path}#feedback`);
    progress.decide(`${place.path}#feedback`, rejection_feedback ?? "no reason was given");
    return { verdict: "retry" };
  }
  if (on_reject === "skip" || on_reject === "else") return { verdict: "skipped" };
  throw new StepRefused(`The output of the step ${place.name} was refused`);
}
