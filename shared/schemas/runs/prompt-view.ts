import * as v from "valibot";

/** What stands in prompts for the beginning of a run. */
export const Fold = v.object({
  id: v.string(),
  run_id: v.string(),
  /** What the model is shown in place of the messages. */
  summary: v.string(),
  /** The first of the run's messages that is shown as it is. */
  first_kept_message_id: v.string(),
  messages_compacted: v.number(),
  /** Estimates of the prompt. */
  tokens_before: v.number(),
  tokens_after: v.number(),
  /** Whether the messages can be searched and read by the model's tools. */
  archived: v.boolean(),
  /** Epoch seconds. */
  created_at: v.number(),
});
export type Fold = v.InferOutput<typeof Fold>;

/** What a model is shown of a run's messages, which are stored whole. */
export const PromptView = v.object({
  /** Results of tools before this message are shown with their head alone. */
  cleared_to: v.optional(v.string()),
  folds: v.optional(v.array(Fold)),
  /** Longest text of a message behind the fold, in characters; longer ones are shown with head and tail. */
  cut_to: v.optional(v.number()),
  /** How many messages there were when this changed last: what a service counted before does not hold any more. */
  changed_at: v.number(),
  /** Tokens that a model is known to take, because its service has refused more; by specification. */
  learned: v.optional(v.record(v.string(), v.number())),
  /** How often a call was refused as too long in a row, and behind how many messages. */
  refused: v.optional(v.object({ at: v.number(), times: v.number() })),
});
export type PromptView = v.InferOutput<typeof PromptView>;
