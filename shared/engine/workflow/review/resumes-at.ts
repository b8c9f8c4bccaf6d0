import type { WorkflowState } from "../../run/workflow-state.ts";
import { isAnswered } from "./requirement.ts";

/** When a paused workflow resumes without an answer, in epoch seconds; undefined where it never does. */
export function resumesAt({ requirements, results }: WorkflowState): number | undefined {
  const deadlines = Object.values(requirements).flatMap((asked) =>
    asked.timeout_at === null || isAnswered(asked) || asked.step_id in results
      ? []
      : [Math.ceil(Date.parse(asked.timeout_at) / 1000)],
  );
  return deadlines.length > 0 ? Math.min(...deadlines) : undefined;
}
