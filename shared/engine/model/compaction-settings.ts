/** How a run's prompts are kept within their model's window. What is absent follows from the window. */
export type CompactionSettings = {
  /** Specification of the model that sums up; the helper when absent. */
  readonly model?: string | undefined;
  /** Replaces what the model is asked for a summary with. */
  readonly instructions?: string | undefined;
  /** From this size of a prompt on, in tokens, its beginning leaves it; 80 % of the window, less room for an answer, when absent. */
  readonly compact_at_tokens?: number | undefined;
  /** About how many tokens of the newest answers, with their results, stay; 15 % of the window when absent. */
  readonly uncompacted_tokens?: number | undefined;
  /** How many of the latest runs of the history stay while the run has little of its own; none when absent. */
  readonly uncompacted_runs?: number | undefined;
  /** Longest summary or list, in tokens; 10 % of the window when absent. */
  readonly compacted_token_budget?: number | undefined;
  /** Whether a summary that is longer than its budget is given up for a list; yes when absent. Without, the budget is what is asked for. */
  readonly enforce_token_budget?: boolean | undefined;
  /** Whether the beginning stays until it is so much longer than the rest; no when absent, and never where no call could be made. */
  readonly enforce_min_fold_ratio?: boolean | undefined;
  /** How many times as long as what stays that must be which leaves a prompt; 2 when absent. */
  readonly min_fold_ratio?: number | undefined;
  /** Whether what leaves a prompt is stored, and can be found by the model's tools; yes when absent. */
  readonly store_compacted_messages?: boolean | undefined;
  readonly search_compacted_messages?: boolean | undefined;
  /** Whether a call that a service refuses as too long is made again with a shorter prompt; yes when absent. */
  readonly on_context_overflow?: boolean | undefined;
};

/** The part of an agent's settings that says what leaves its prompts. */
export type Compacting = {
  readonly compaction?: boolean | CompactionSettings;
  /** Whether older results are shown by their heads also where that frees less than a fifth of the window. */
  readonly compress_tool_results?: boolean;
};

/** @returns undefined for an agent whose prompts are cut only where no call could be made otherwise */
export function compactionOf({ compaction = true }: Compacting): CompactionSettings | undefined {
  if (compaction === false) return undefined;
  return compaction === true ? {} : compaction;
}

/** Whether what leaves a prompt is to be found again. */
export const archives = ({
  store_compacted_messages = true,
  search_compacted_messages = true,
}: CompactionSettings) => store_compacted_messages && search_compacted_messages;
