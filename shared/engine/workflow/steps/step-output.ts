import type { StepOutput } from "../../../schemas/runs/workflow-run.ts";
import type { StepOf } from "../../define/workflow.ts";
import type { Place } from "../scope.ts";

/** A step's output with every key present. */
export function stepOutput(
  { executor }: StepOf<"Step">,
  place: Place,
  fields: Partial<StepOutput> & Pick<StepOutput, "content">,
): StepOutput {
  return {
    step_name: place.name,
    step_id: place.path,
    step_type: "Step",
    executor_type: typeof executor === "function" ? "function" : executor.kind,
    executor_name: typeof executor === "function" ? place.name : executor.name,
    step_run_id: null,
    images: null,
    videos: null,
    audio: null,
    files: null,
    metrics: null,
    success: true,
    error: null,
    stop: false,
    is_paused: false,
    ...fields,
  };
}
