import type { StepOutput } from "../../../schemas/runs/workflow-run.ts";
import type { StepOf } from "../../define/workflow.ts";
import { unlessConsented } from "../review/consent.ts";
import { type Place, type Scope, type StepsResult, unfinished } from "../scope.ts";

/** The same steps repeatedly, each round on the output of the one before, until the end condition holds. */
export async function runLoop(
  step: StepOf<"Loop">,
  place: Place,
  previous: unknown,
  scope: Scope,
): Promise<StepsResult> {
  const halted = unlessConsented(step, place, previous, scope);
  if (halted) return halted;
  const { progress } = scope;
  const at = { step_name: place.name, step_index: place.index };
  if (progress.isFirst(`${place.path}#begun`)) {
    scope.emit({ event: "LoopExecutionStarted", ...at, max_iterations: step.max_iterations });
  }
  const outputs: StepOutput[] = [];
  let content = previous;
  let stop = false;
  let iteration = 0;
  const forwards = step.forward_iteration_output ?? true;
  while (iteration < step.max_iterations && !stop) {
    iteration += 1;
    const path = `${place.path}/${iteration}`;
    if (progress.isFirst(`${path}#begun`)) scope.emit({ event: "LoopIterationStarted", ...at, iteration });
    const result = await scope.runSteps(step.steps, path, forwards ? content : previous, scope);
    if (!result.done) return unfinished;
    outputs.push(...result.outputs);
    ({ content, stop } = result);
    const ends = progress.decided(`${path}#ends`) ?? (await step.end_condition?.(result.outputs)) ?? false;
    const should_continue = progress.decide(`${path}#ends`, ends) === false && !stop;
    if (progress.isFirst(`${path}#ended`)) {
      const iteration_results = [...result.outputs];
      scope.emit({ event: "LoopIterationCompleted", ...at, iteration, iteration_results, should_continue });
    }
    if (!should_continue) break;
  }
  if (progress.isFirst(`${place.path}#ended`)) {
    const all_results = [...outputs];
    scope.emit({ event: "LoopExecutionCompleted", ...at, total_iterations: iteration, all_results });
  }
  return { done: true, outputs, content, stop };
}
