import type { StepOf } from "../../define/workflow.ts";
import { below, haveFailed, type Place, type Scope, type StepsResult, unfinished } from "../scope.ts";

/**
 * Concurrent steps, each on the input of the whole. One that waits for a person, or fails, does not stop the others.
 */
export async function runParallel(
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
  const branches = await Promise.allSettled(
    step.steps.map((branch, index) =>
      scope.runAny(
        branch,
        { path: below(place.path, branch.name), name: branch.name, index },
        previous,
        scope,
      ),
    ),
  );
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
