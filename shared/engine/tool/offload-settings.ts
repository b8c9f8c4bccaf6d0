/** How large results of tools are kept out of the prompt. */
export type OffloadSettings = {
  /** Longest result that is shown whole, in characters; 16,000 when absent. */
  readonly threshold_chars?: number | undefined;
  /** How much of a longer one is shown; 20 lines and 1,200 characters when absent. */
  readonly preview_lines?: number | undefined;
  readonly preview_chars?: number | undefined;
  /** Accepted and without effect: results are kept as long as their session. */
  readonly ttl_seconds?: number | null | undefined;
  /** Whether the answers of a team's members are kept out of the leader's prompt too. */
  readonly member_responses?: boolean | undefined;
};

/** What an agent may say of it: true, or nothing, are the sizes above. */
export type Offloading = { readonly offload_tool_results?: boolean | OffloadSettings };

/** @returns undefined for an agent that is shown every result whole */
export function offloadSettings({ offload_tool_results = true }: Offloading): OffloadSettings | undefined {
  if (offload_tool_results === false) return undefined;
  return offload_tool_results === true ? {} : offload_tool_results;
}
