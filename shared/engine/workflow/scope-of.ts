import { epochSeconds } from "../../runtime/clock.ts";
import type { WorkflowEvent } from "../../schemas/runs/workflow-event.ts";
import type { Workflow } from "../define/workflow.ts";
import type { Scope, WorkflowPorts } from "./scope.ts";

/** The ids that a workflow's events carry, and how they are emitted. */
export function scopeOf(
  { id, name, add_workflow_history_to_steps, num_history_runs }: Workflow,
  { run_id, session_id }: { readonly run_id: string; readonly session_id: string },
  depth: number,
  { clock, emit }: Pick<WorkflowPorts, "clock" | "emit">,
): Pick<Scope, "emit" | "depth" | "session_id" | "workflow_id" | "run_id" | "history"> {
  const base = { workflow_id: id, workflow_name: name, run_id, session_id, nested_depth: depth };
  return {
    depth,
    session_id,
    run_id,
    workflow_id: id,
    history: { runs: num_history_runs, forAll: add_workflow_history_to_steps },
    emit: ({ event, ...fields }, stepIds = {}) =>
      // The compiler does not follow a union through rest and spread; the fields are those of the body.
      emit({ created_at: epochSeconds(clock), event, ...base, ...stepIds, ...fields } as WorkflowEvent),
  };
}
