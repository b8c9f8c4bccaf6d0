import type { Requirement, ToolExecution } from "../schemas/run.ts";
import type { EnginePorts } from "./run-request.ts";
import { awaitsPerson, pendingTools, type RunState } from "./run-state.ts";

const IN_DOUBT =
  "This call was started, and what became of it is not known: it may have happened. Confirm to run it again; reject, with what you know of its result as the note, to go on without.";

/** One requirement for each tool call that waits for a person. @source contract, runs-and-queue 4.8 */
export function requirementsOf(state: RunState, { clock, newId }: EnginePorts): Requirement[] {
  // The wire wants microseconds and a numeric offset; the clock has milliseconds.
  const created_at = new Date(clock.now()).toISOString().replace("Z", "000+00:00");
  return pendingTools(state)
    .filter(awaitsPerson)
    .map((call) => ({ id: newId(), created_at, tool_execution: call, ...questionsShown(call) }));
}

const questionsShown = (call: ToolExecution): Partial<Requirement> => ({
  ...(call.in_doubt !== undefined && { confirmation_note: IN_DOUBT }),
  ...(call.user_input_schema && { user_input_schema: call.user_input_schema }),
  ...(call.user_feedback_schema && { user_feedback_schema: call.user_feedback_schema }),
});
