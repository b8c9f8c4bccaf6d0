import { epochSeconds } from "../../runtime/clock.ts";
import type { ToolExecution } from "../../schemas/runs/run.ts";
import type { EnginePorts } from "../ports/engine-ports.ts";
import { noQuestions } from "./questions-of-call.ts";

/** A tool call that has not run yet. Every key is always present. */
export const newToolCall = (
  fields: Pick<ToolExecution, "tool_call_id" | "tool_name" | "tool_args"> & Partial<ToolExecution>,
  { clock }: Pick<EnginePorts, "clock">,
): ToolExecution => ({
  tool_call_error: null,
  result: null,
  metrics: null,
  child_run_id: null,
  stop_after_tool_call: false,
  created_at: epochSeconds(clock),
  ...noQuestions,
  confirmed: null,
  confirmation_note: null,
  approval_id: null,
  ...fields,
});
