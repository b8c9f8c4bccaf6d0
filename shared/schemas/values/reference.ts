import * as v from "valibot";

/** A piece of knowledge that a run was shown. @source contract, knowledge section 7 */
export const Reference = v.object({
  content: v.string(),
  name: v.optional(v.string()),
  meta_data: v.record(v.string(), v.unknown()),
});
export type Reference = v.InferOutput<typeof Reference>;

/** What one search of a run found. @source contract, runs-and-queue 4.2 */
export const References = v.object({
  query: v.string(),
  references: v.array(Reference),
  /** Seconds that it took. */
  time: v.number(),
});
export type References = v.InferOutput<typeof References>;
