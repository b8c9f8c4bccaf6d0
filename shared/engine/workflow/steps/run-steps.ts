import type { WorkflowStep } from "../../define/workflow.ts";
import { below, isHalted, type Place, type Scope, type StepsResult, unfinished } from "../scope.ts";
import { traceStep } from "../trace-step.ts";
import { runCondition } from "./run-condition.ts";
import { runGroup } from "./run-group.ts";
import { runLoop } from "./run-loop.ts";
import { runNestedWorkflow } from "./run-nested-workflow.ts";
import { runParallel } from "./run-parallel.ts";
import { runRouter } from "./run-router.ts";
import { runStep } from "./run-step.ts";

/**
 * Runs steps one after the other, each on the output of the one before. Steps that finished in an earlier execution
 * return their stored output.
 */
export async function runSteps(
  steps: readonly WorkflowStep[],
  path: string,
  previous: unknown,
  scope: Scope,
): Promise<StepsResult> {
  const outputs = [];
  let content = previous;
  for (const [index, step] of steps.entries()) {
    const place = { path: below(path, step.name), name: step.name, index };
    if (!(place.path in scope.progress.state().results) && isHalted(scope)) return unfinished;
    const result = await runAny(step, place, content, scope);
    if (!result.done) return unfinished;
    // At the top nothing else is under way now.
    if (path === "") scope.sessionState.joinWork();
    outputs.push(...result.outputs);
    content = result.content;
    if (result.stop) return { done: true, outputs, content, stop: true };
  }
  return { done: true, outputs, content, stop: false };
}

/** Runs one step of any type. */
export const runAny = (
  step: WorkflowStep,
  place: Place,
  previous: unknown,
  scope: Scope,
): Promise<StepsResult> =>
  traceStep(step, place, previous, scope, (traced) => runByType(step, place, previous, traced));

function runByType(step: WorkflowStep, place: Place, previous: unknown, scope: Scope): Promise<StepsResult> {
  switch (step.type) {
    case "Step":
      return runStep(step, place, previous, scope);
    case "Steps":
      return runGroup(step, place, previous, scope);
    case "Parallel":
      return runParallel(step, place, previous, scope);
    case "Condition":
      return runCondition(step, place, previous, scope);
    case "Loop":
      return runLoop(step, place, previous, scope);
    case "Router":
      return runRouter(step, place, previous, scope);
    case "Workflow":
      return runNestedWorkflow(step, place, previous, scope);
  }
}
