import type { StepOf } from "../../define/workflow.ts";
import type { Place, Scope, StepsResult } from "../scope.ts";
import { scopeOf } from "../scope-of.ts";

/** A workflow as a step of another: its steps run as steps of the outer one; its events carry its own ids. */
export async function runNestedWorkflow(
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
