import type { StepOutput } from "../../../schemas/runs/workflow-run.ts";
import type { StepInput, StepOf, StepResult } from "../../define/workflow.ts";
import type { Place, Scope } from "../scope.ts";

/** The input of a step's function. Results are by step name; of several with one name, the last to finish. */
export function stepInput(
  previous: unknown,
  { input, progress, ports, sessionState }: Pick<Scope, "input" | "progress" | "ports" | "sessionState">,
  user_input?: Readonly<Record<string, unknown>>,
): StepInput {
  const { results, finished } = progress.state();
  const byName = finished.flatMap((path): [string, StepResult][] => {
    const result = results[path];
    return result ? [[result.step_name, result]] : [];
  });
  return {
    input,
    previous,
    results: Object.fromEntries(byName),
    session_state: sessionState.current(),
    ...(user_input && { user_input }),
    signal: ports.signal,
  };
}

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
