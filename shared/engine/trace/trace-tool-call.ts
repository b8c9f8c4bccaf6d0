import type { ToolExecution } from "../../schemas/runs/run.ts";
import type { Execution } from "../run/execution.ts";
import type { RunState } from "../run/run-state.ts";

/**
 * Settles a tool call within a span, which what happens in the call is part of. A call that stays pending leaves it open.
 *
 * @param state  the run's, which tells the call's place: a repeated call may have another id
 */
export async function traceToolCall(
  call: ToolExecution,
  state: RunState,
  execution: Execution,
  settle: (execution: Execution) => Promise<ToolExecution>,
): Promise<ToolExecution> {
  const { ports } = execution;
  if (!ports.span) return settle(execution);
  const place = state.tools.findIndex(({ tool_call_id }) => tool_call_id === call.tool_call_id);
  const { tool_name, tool_call_id } = call;
  const parameters = JSON.stringify(call.tool_args);
  const span = ports.span.child({
    key: `tool:${place}`,
    name: tool_name,
    kind: "TOOL",
    input: parameters,
    facts: { tool_name, tool_call_id, parameters },
  });
  const settled = await settle({ ...execution, ports: { ...ports, span } });
  if (settled.result === null) return settled;
  if (settled.tool_call_error) span.end({ error: settled.result, error_type: "tool" });
  else span.end({ output: settled.result });
  return settled;
}
