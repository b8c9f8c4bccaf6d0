import type { StepOf } from "../../define/workflow.ts";
import { consentTo } from "../review/consent.ts";
import { type Place, type Scope, type StepsResult, skippedStep, waitForPerson } from "../scope.ts";
import { stepInput } from "./step-input.ts";

/** One branch or the other. The condition is evaluated once. */
export async function runCondition(
  step: StepOf<"Condition">,
  place: Place,
  previous: unknown,
  scope: Scope,
): Promise<StepsResult> {
  const consent = consentTo(step, place, scope);
  if (consent.answer === "waits") return waitForPerson(scope);
  if (consent.answer === "refused") return skippedStep(previous);
  const known = scope.progress.decided(`${place.path}#condition`);
  const decided =
    known ?? (consent.answer === "else" ? false : await step.evaluate(stepInput(previous, scope)));
  const condition_result = scope.progress.decide(`${place.path}#condition`, decided === true);
  const at = { step_name: place.name, step_index: place.index };
  if (scope.progress.isFirst(`${place.path}#begun`)) {
    scope.emit({ event: "ConditionExecutionStarted", ...at, condition_result });
  }
  const chosen = condition_result ? step.steps : step.else_steps;
  const branch = condition_result ? "if" : "else";
  const result = chosen
    ? await scope.runSteps(chosen, `${place.path}/${branch}`, previous, scope)
    : skippedStep(previous);
  if (result.done && scope.progress.isFirst(`${place.path}#ended`)) {
    scope.emit({
      event: "ConditionExecutionCompleted",
      ...at,
      condition_result,
      branch: chosen ? branch : null,
      executed_steps: result.outputs.length,
      step_results: [...result.outputs],
    });
  }
  return result;
}
