import type { Tool } from "./tool.ts";

/** The tool that searches what has left a prompt. */
export const HISTORY_SEARCH = "search_compacted_history";

const names: ReadonlySet<string> = new Set(["read_result", "search_result", HISTORY_SEARCH]);

/** Whether this is the name of a tool that reads what is kept out of the prompt. */
export const isResultTool = (name: string): boolean => names.has(name);

/** How large results of tools are kept out of the prompt. */
export type OffloadSettings = {
  /** Longest result that is shown whole, in characters; when absent it follows from the model's window. */
  readonly threshold_chars?: number | undefined;
  /** How much of a longer one is shown; 20 lines and 1,200 characters when absent. */
  readonly preview_lines?: number | undefined;
  readonly preview_chars?: number | undefined;
  /** Accepted and without effect: results are kept as long as their session. */
  readonly ttl_seconds?: number | null | undefined;
  /** Whether the answers of a team's members are kept out of the leader's prompt too. */
  readonly member_responses?: boolean | undefined;
};

/** What an agent may say of it; nothing is the sizes above, and true a threshold of 16,000 characters. */
export type Offloading = { readonly offload_tool_results?: boolean | OffloadSettings };

/** @returns undefined for an agent that is shown every result whole */
export function offloadSettings({ offload_tool_results = true }: Offloading): OffloadSettings | undefined {
  if (offload_tool_results === false) return undefined;
  return offload_tool_results === true ? {} : offload_tool_results;
}

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
