import type { StepInput, StepResult } from "../../define/workflow.ts";
import type { Scope } from "../scope.ts";

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
