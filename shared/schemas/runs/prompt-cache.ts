import * as v from "valibot";

/** What may end a provider's cache of a prompt: the first part, in this order, that is not what it was at the last call. */
export const cacheParts = ["model", "tools", "system", "tool_choice", "history", "expired"] as const;
export const CachePart = v.picklist(cacheParts);
export type CachePart = v.InferOutput<typeof CachePart>;

/** A prompt as the next call compares it with its own: digests of its parts. */
export const PromptDigests = v.object({
  model: v.string(),
  tools: v.string(),
  system: v.string(),
  tool_choice: v.string(),
  /** Of the messages up to the one with the id `to`. */
  history: v.string(),
  to: v.string(),
  /** When the call was made: epoch milliseconds. */
  at_ms: v.number(),
});
export type PromptDigests = v.InferOutput<typeof PromptDigests>;

export const CacheBreak = v.object({ call: v.number(), part: CachePart });
export type CacheBreak = v.InferOutput<typeof CacheBreak>;

/** How a run's prompts fared in the cache of its model's service. @source docs/interface/runs.md 4.11 */
export const CacheMetrics = v.object({
  /** The share of the run's input that was read from the cache. */
  hit_rate: v.number(),
  /** Calls, counted from 0, that could not read what the one before had cached, and why. */
  breaks: v.array(CacheBreak),
  /** Set where reading and writing are priced by the list's factors of the price of input, because none is configured. */
  derived: v.optional(v.literal(true)),
  /** The last prompt, for the next run of the session. */
  last: v.optional(PromptDigests),
});
export type CacheMetrics = v.InferOutput<typeof CacheMetrics>;
