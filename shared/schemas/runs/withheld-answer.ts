import * as v from "valibot";

/** A text that a guard of the output has refused, where its component keeps such texts. Only admins read it. */
export const WithheldAnswer = v.object({
  /** The run, or the run within it, whose text it was. */
  run_id: v.string(),
  /** The guard. */
  hook: v.string(),
  error_id: v.optional(v.string()),
  /** All text of the run up to the refusal. */
  text: v.string(),
  /** Epoch seconds. */
  created_at: v.number(),
});
export type WithheldAnswer = v.InferOutput<typeof WithheldAnswer>;
