import { ownMember } from "../../../schemas/values/own-member.ts";
import type { StepOf } from "../../define/workflow.ts";
import { openRequirement } from "../review/requirement.ts";
import type { Place, Scope } from "../scope.ts";
import { stepInput } from "./step-input.ts";

/** The names of the steps that a router chose; undefined while a person is asked. */
export async function routeFor(
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
    const names = await step.selector(stepInput(previous, scope));
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
