import type { ToolExecution } from "../../schemas/runs/run.ts";
import type { Execution } from "../run/execution.ts";
import type { RunState } from "../run/run-state.ts";

/**
 * Completes a tool call within a span, the parent of spans within the call. A call that stays pending leaves it open.
 *
 * @param state  the run's, for the position of the call: a repeated call may have another id
 */
export async function traceToolCall(
  call: ToolExecution,
  state: RunState,
  execution: Execution,
  complete: (execution: Execution) => Promise<ToolExecution>,
): Promise<ToolExecution> {
  const { ports } = execution;
  if (!ports.span) return complete(execution);
  const position = state.tools.findIndex(({ tool_call_id }) => tool_call_id === call.tool_call_id);
  const { tool_name, tool_call_id } = call;
  const parameters = JSON.stringify(call.tool_args);
  const span = ports.span.child({
    key: `tool:${position}`,
    name: tool_name,
    kind: "TOOL",
    input: parameters,
    facts: { tool_name, tool_call_id, parameters },
  });
  const completed = await complete({ ...execution, ports: { ...ports, span } });
  if (completed.result === null) return completed;
  if (completed.tool_call_error) span.end({ error: completed.result, error_type: "tool" });
  else span.end({ output: completed.result });
  return completed;
}
