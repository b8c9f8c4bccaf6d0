import type { Agent } from "../define/agent.ts";
import { isResultTool } from "./result-tool-names.ts";

type Offloading = Pick<Agent, "offload_tool_results">;

/** Whether a call counts for the agent's `tool_call_limit`: to read a result that was made already does not. */
export const countsFor = ({ offload_tool_results }: Offloading, name: string): boolean =>
  !(offload_tool_results && isResultTool(name));

/** How many of these calls count for the agent's limit. */
export const countedCalls = (agent: Offloading, calls: readonly { readonly tool_name: string }[]): number =>
  calls.filter(({ tool_name }) => countsFor(agent, tool_name)).length;
