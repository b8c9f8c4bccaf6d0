import { newToolCall } from "../../../shared/engine/tool/new-tool-call.ts";
import type { ToolExecution } from "../../../shared/schemas/runs/run.ts";

/** A call of a tool named `send` that nothing has happened to, but what the test says. */
export const aToolCall = (changed: Partial<ToolExecution> = {}): ToolExecution =>
  newToolCall(
    { tool_call_id: "c1", tool_name: "send", tool_args: { to: "kim" }, ...changed },
    { clock: { now: () => 1_000, sleep: async () => undefined } },
  );
