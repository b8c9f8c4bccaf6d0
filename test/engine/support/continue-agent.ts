import { executeSlice } from "../../../shared/engine/loop/execute-slice.ts";
import { noUsage } from "../../../shared/engine/model/usage.ts";
import type { RunState } from "../../../shared/engine/run/run-state.ts";
import type { ToolExecution } from "../../../shared/schemas/runs/run.ts";
import {
  anAgent,
  aRequest,
  type How,
  runAgent,
  START_SECONDS,
  type TestRun,
  withPorts,
} from "./run-agent.ts";

/** The state in which a run has paused, from what its record shows. */
export async function pausedState(input: string, how: How = {}): Promise<RunState> {
  const { outcome } = await runAgent(input, how);
  if (outcome.status !== "PAUSED") throw new Error(`the run is ${outcome.status}`);
  const { messages = [], tools = [] } = outcome.output;
  return {
    messages,
    tools,
    calls: 0,
    content: "",
    reasoning_content: "",
    usage: noUsage,
    started_at_ms: START_SECONDS * 1000,
    first_token_at_ms: null,
  };
}

/** Continues a paused run with the same answer to each of its calls. */
export function continueAgent(
  state: RunState,
  answer: Partial<ToolExecution>,
  how: How = {},
): Promise<TestRun> {
  const from = { ...state, tools: state.tools.map((call) => ({ ...call, ...answer })) };
  const { agent = anAgent(), request = aRequest("") } = how;
  return withPorts(how, async (ports) => {
    const outcome = await executeSlice(agent, request, { ...ports, continues: true }, from);
    if (outcome.status === "YIELDED") throw new Error("the run yielded without a request");
    return outcome;
  });
}
