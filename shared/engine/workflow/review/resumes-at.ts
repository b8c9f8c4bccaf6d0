import type { WorkflowState } from "../../run/workflow-state.ts";
import { isAnswered } from "./requirement.ts";

/** When a paused workflow goes on although nobody has answered, in epoch seconds; undefined where it never does. */
export function resumesAt({ requirements, results }: WorkflowState): number | undefined {
  const moments = Object.values(requirements).flatMap((asked) =>
    asked.timeout_at === null || isAnswered(asked) || asked.step_id in results
      ? []
      : [Math.ceil(Date.parse(asked.timeout_at) / 1000)],
  );
  return moments.length > 0 ? Math.min(...moments) : undefined;
}
