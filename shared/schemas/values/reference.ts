import * as v from "valibot";

/** A piece of knowledge that a run was shown. */
export const Reference = v.object({
  content: v.string(),
  name: v.optional(v.string()),
  meta_data: v.record(v.string(), v.unknown()),
});
export type Reference = v.InferOutput<typeof Reference>;

/** What one search of a run found. */
export const References = v.object({
  query: v.string(),
  references: v.array(Reference),
  /** Seconds that it took. */
  time: v.number(),
});
export type References = v.InferOutput<typeof References>;
