import { ownMember } from "../../../schemas/values/json-values.ts";
import type { StepOf } from "../../define/workflow.ts";
import { consentTo } from "../review/consent.ts";
import { openRequirement } from "../review/requirement.ts";
import {
  type Place,
  type Scope,
  StepFailed,
  type StepsResult,
  skippedStep,
  waitForPerson,
} from "../scope.ts";
import { choose } from "./choose.ts";
import { stepInput } from "./step-data.ts";

/** The steps that a function or a person chooses. */
export async function runRouter(
  step: StepOf<"Router">,
  place: Place,
  previous: unknown,
  scope: Scope,
): Promise<StepsResult> {
  const names = await routeFor(step, place, previous, scope);
  if (!names) return waitForPerson(scope);
  const chosen = names.map((name) => step.choices.find((choice) => choice.name === name));
  const known = chosen.filter((choice) => choice !== undefined);
  if (known.length < names.length) {
    throw new StepFailed(
      `${place.name} chose ${names.join(", ")}, which are not all among its choices`,
      "route",
    );
  }
  const at = { step_name: place.name, step_index: place.index };
  const selected_steps = [...names];
  if (scope.progress.isFirst(`${place.path}#begun`)) {
    scope.emit({ event: "RouterExecutionStarted", ...at, selected_steps });
  }
  const result = await scope.runSteps(known, place.path, previous, scope);
  if (result.done && scope.progress.isFirst(`${place.path}#ended`)) {
    const step_results = [...result.outputs];
    const executed_steps = step_results.length;
    scope.emit({ event: "RouterExecutionCompleted", ...at, selected_steps, executed_steps, step_results });
  }
  return result;
}

/** The names of the steps that a router chose; undefined while a person is asked. */
async function routeFor(
  step: StepOf<"Router">,
  place: Place,
  previous: unknown,
  scope: Scope,
): Promise<readonly string[] | undefined> {
  const { progress } = scope;
  const key = `${place.path}#route`;
  const known = progress.decided(key);
  if (Array.isArray(known)) return known;
  if (step.selector) {
    const { selector } = step;
    const names = await choose(place, scope, () => selector(stepInput(previous, scope)));
    return progress.decide(key, typeof names === "string" ? [names] : [...names]);
  }
  const asked = ownMember(progress.state().requirements, place.path);
  if (asked?.selected_choices) {
    scope.emit({
      event: "StepContinued",
      step_id: place.path,
      step_name: place.name,
      step_index: place.index,
    });
    return progress.decide(key, asked.selected_choices);
  }
  if (!asked) askForRoute(step, place, scope);
  return undefined;
}

function askForRoute(step: StepOf<"Router">, place: Place, scope: Scope): void {
  const available_choices = step.choices.map(({ name }) => name);
  const allow_multiple_selections = step.allow_multiple_selections ?? false;
  const user_input_message = step.user_input_message ?? null;
  scope.progress.require(place.path, {
    ...openRequirement(step, place),
    requires_route_selection: true,
    user_input_message,
    available_choices,
    allow_multiple_selections,
  });
  scope.emit({
    event: "RouterPaused",
    step_name: place.name,
    step_index: place.index,
    available_choices,
    user_input_message,
    allow_multiple_selections,
  });
}

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
    known ??
    (consent.answer !== "else" &&
      (await choose(place, scope, () => step.evaluate(stepInput(previous, scope)))));
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
