import type { Requirement } from "../schemas/run.ts";
import type { EnginePorts } from "./run-request.ts";
import { awaitsPerson, type RunState } from "./run-state.ts";

/** One requirement for each tool call that waits for a person. @source contract, runs-and-queue 4.8 */
export function requirementsOf(state: RunState, { clock, newId }: EnginePorts): Requirement[] {
  // The wire wants microseconds and a numeric offset; the clock has milliseconds.
  const created_at = new Date(clock.now()).toISOString().replace("Z", "000+00:00");
  return state.tools.filter(awaitsPerson).map((tool_execution) => ({
    id: newId(),
    created_at,
    tool_execution,
    ...(tool_execution.user_input_schema && { user_input_schema: tool_execution.user_input_schema }),
    ...(tool_execution.user_feedback_schema && {
      user_feedback_schema: tool_execution.user_feedback_schema,
    }),
  }));
}
