import * as v from "valibot";

/** What stands for the older runs of a session in the history that a model is shown. The runs themselves stay. */
export const Compaction = v.object({
  summary: v.string(),
  /** The last run that the summary stands for; it stands for every earlier one too. Ids of runs sort by time. */
  through_run_id: v.string(),
  messages_compacted: v.number(),
  /** Estimates, by four characters for a token. */
  tokens_before: v.number(),
  tokens_after: v.number(),
  /** Epoch seconds. */
  created_at: v.number(),
});
export type Compaction = v.InferOutput<typeof Compaction>;

const compactionStatuses = [
  "compacted",
  "not_enabled",
  "no_history",
  "nothing_to_fold",
  "already_compacted",
  "not_worth_it",
  "summary_failed",
] as const;

/** How an attempt to compact ended. Declines are answers, not errors. */
export const CompactionResult = v.object({
  status: v.picklist(compactionStatuses),
  compacted: v.boolean(),
  message: v.string(),
  record: v.nullable(Compaction),
});
export type CompactionResult = v.InferOutput<typeof CompactionResult>;
