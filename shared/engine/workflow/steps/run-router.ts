import type { StepOf } from "../../define/workflow.ts";
import { type Place, type Scope, StepFailed, type StepsResult, waitForPerson } from "../scope.ts";
import { routeFor } from "./route-for.ts";

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
    throw new StepFailed(`${place.name} chose ${names.join(", ")}, which are not all among its choices`);
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
