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
