import { describeForeignError } from "../../../runtime/describe-error.ts";
import { errorTypeOf, type Place, type Scope, StepFailed } from "../scope.ts";

/**
 * Asks a workflow's own function which way it goes: a router's selector, a condition, the end of a loop.
 *
 * @throws StepFailed where the function throws: the way is not known then, so the workflow ends with its reason
 */
export async function choose<T>(place: Place, { ports, run_id }: Scope, ask: () => T): Promise<Awaited<T>> {
  try {
    return await ask();
  } catch (error) {
    ports.warn?.("a step's function failed", {
      run_id,
      step_name: place.name,
      ...describeForeignError(error),
    });
    const message = error instanceof Error ? error.message : String(error);
    throw new StepFailed(`The step ${place.name} failed: ${message}`, errorTypeOf(error));
  }
}
