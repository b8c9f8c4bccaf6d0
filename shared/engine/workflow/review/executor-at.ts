import type { Agent } from "../../define/agent.ts";
import type { Team } from "../../define/team.ts";
import { stepsBelow, type Workflow, type WorkflowStep } from "../../define/workflow.ts";

/**
 * The agent or team of the step at a path of a workflow; undefined where there is none (any more).
 *
 * @param path  names of steps from the top, with the round of a loop and the branch of a condition between them
 */
export function executorAt({ steps }: Pick<Workflow, "steps">, path: string): Agent | Team | undefined {
  const found = steps.flatMap((step) => below(step, path) ?? []);
  return found[0];
}

/** Names may contain the separator, so the path is matched against names, not split. */
function below(step: WorkflowStep, path: string): Agent | Team | undefined {
  if (step.type === "Step" && path === step.name) {
    return typeof step.executor === "function" ? undefined : step.executor;
  }
  if (!path.startsWith(`${step.name}/`)) return undefined;
  const rest = path.slice(step.name.length + 1);
  switch (step.type) {
    case "Workflow":
      return executorAt(step.workflow, rest);
    case "Loop":
      return executorAt(step, rest.replace(/^\d+\//, ""));
    case "Condition":
      return rest.startsWith("if/")
        ? executorAt(step, rest.slice("if/".length))
        : executorAt({ steps: step.else_steps ?? [] }, rest.slice("else/".length));
    default:
      return executorAt({ steps: stepsBelow(step).flat() }, rest);
  }
}
