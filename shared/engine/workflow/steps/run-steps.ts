import type { StepOutput } from "../../../schemas/runs/workflow-run.ts";
import type { StepOf, WorkflowStep } from "../../define/workflow.ts";
import { unlessConsented } from "../review/consent.ts";
import {
  below,
  haveFailed,
  isHalted,
  type Place,
  type Scope,
  type StepsResult,
  scopeOf,
  unfinished,
} from "../scope.ts";
import { traceStep } from "../trace-step.ts";
import { choose } from "./choose.ts";
import { runCondition, runRouter } from "./run-router.ts";
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

/** Steps under one name. */
async function runGroup(
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

/**
 * Concurrent steps, each on the input of the whole. One that waits for a person, or fails, does not stop the others.
 */
async function runParallel(
  step: StepOf<"Parallel">,
  place: Place,
  previous: unknown,
  scope: Scope,
): Promise<StepsResult> {
  const at = { step_name: place.name, step_index: place.index };
  const parallel_step_count = step.steps.length;
  if (scope.progress.isFirst(`${place.path}#begun`)) {
    scope.emit({ event: "ParallelExecutionStarted", ...at, parallel_step_count });
  }
  const placed = step.steps.map((branch, index) => {
    const { name } = branch;
    return { branch, own: { path: below(place.path, name), name, index } };
  });
  const branches = await Promise.allSettled(
    placed.map(({ branch, own }) => scope.runAny(branch, own, previous, scope)),
  );
  scope.progress.arrange(placed.map(({ own }) => own.path));
  const results: Extract<StepsResult, { done: true }>[] = [];
  for (const branch of branches) {
    if (branch.status === "rejected") throw branch.reason;
    if (!branch.value.done) return unfinished;
    results.push(branch.value);
  }
  const outputs = results.flatMap((branch) => branch.outputs);
  if (scope.progress.isFirst(`${place.path}#ended`)) {
    const step_results = [...outputs];
    scope.emit({ event: "ParallelExecutionCompleted", ...at, parallel_step_count, step_results });
  }
  const answered = step.steps.flatMap(({ name }, i): [string, unknown][] => {
    const result = results[i];
    // A branch whose steps all failed has nothing but what it was given.
    return result && !haveFailed(result.outputs) ? [[name, result.content]] : [];
  });
  const content = answered.length > 0 ? joinedContents(answered) : previous;
  return { done: true, outputs, content, stop: results.some(({ stop }) => stop) };
}

/** The input of the step after concurrent steps: their contents under their names, as text where all are text. */
function joinedContents(answers: readonly (readonly [name: string, content: unknown])[]): unknown {
  if (answers.every(([, content]) => typeof content === "string")) {
    return answers.map(([name, content]) => `## ${name}\n\n${content}`).join("\n\n");
  }
  return Object.fromEntries(answers);
}

/** The same steps repeatedly, each round on the output of the one before, until the end condition holds. */
async function runLoop(
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
    const ends =
      progress.decided(`${path}#ends`) ??
      (await choose(place, scope, () => step.end_condition?.(result.outputs))) ??
      false;
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

/** A workflow as a step of another: its steps run as steps of the outer one; its events carry its own ids. */
async function runNestedWorkflow(
  { workflow }: StepOf<"Workflow">,
  place: Place,
  previous: unknown,
  outer: Scope,
): Promise<StepsResult> {
  const { progress, ports } = outer;
  const run_id = progress.decide(`${place.path}#run`, ports.newId());
  const scope: Scope = {
    ...outer,
    ...scopeOf(workflow, { run_id, session_id: outer.session_id }, outer.depth + 1, ports),
    input: previous,
  };
  if (progress.isFirst(`${place.path}#begun`)) scope.emit({ event: "WorkflowStarted" });
  const result = await scope.runSteps(workflow.steps, place.path, previous, scope);
  if (result.done && progress.isFirst(`${place.path}#ended`)) {
    scope.emit({
      event: "WorkflowCompleted",
      content: result.content,
      content_type: typeof result.content === "string" ? "str" : "dict",
      step_results: [...result.outputs],
    });
  }
  return result.done ? { ...result, stop: false } : result;
}
