import { type Offloading, offloadSettings } from "./offload-settings.ts";
import { isResultTool } from "./result-tool-names.ts";
import type { Tool } from "./tool.ts";

type Counting = Offloading & { readonly tools: readonly Pick<Tool, "name">[] };

/**
 * Whether a call counts for the agent's `tool_call_limit`: to read a result that was made already does not. A tool of the agent's own
 * with such a name counts.
 */
export const countsFor = (agent: Counting, name: string): boolean =>
  !isResultTool(name) || !offloadSettings(agent) || agent.tools.some((tool) => tool.name === name);

/** How many of these calls count for the agent's limit. */
export const countedCalls = (agent: Counting, calls: readonly { readonly tool_name: string }[]): number =>
  calls.filter(({ tool_name }) => countsFor(agent, tool_name)).length;
