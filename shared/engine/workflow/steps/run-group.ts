import type { StepOf } from "../../define/workflow.ts";
import { unlessConsented } from "../review/consent.ts";
import type { Place, Scope, StepsResult } from "../scope.ts";

/** Steps under one name. */
export async function runGroup(
  step: StepOf<"Steps">,
  place: Place,
  previous: unknown,
  scope: Scope,
): Promise<StepsResult> {
  const halted = unlessConsented(step, place, previous, scope);
  if (halted) return halted;
  const at = { step_name: place.name, step_index: place.index };
  const steps_count = step.steps.length;
  if (scope.progress.isFirst(`${place.path}#begun`)) {
    scope.emit({ event: "StepsExecutionStarted", ...at, steps_count });
  }
  const result = await scope.runSteps(step.steps, place.path, previous, scope);
  if (result.done && scope.progress.isFirst(`${place.path}#ended`)) {
    const step_results = [...result.outputs];
    const executed_steps = step_results.length;
    scope.emit({ event: "StepsExecutionCompleted", ...at, steps_count, executed_steps, step_results });
  }
  return result;
}
