import * as v from "valibot";
import { FeedbackKey } from "./feedback.ts";

const Form = v.strictObject({
  type: v.picklist(["boolean", "number", "category", "text"]),
  min: v.optional(v.number()),
  max: v.optional(v.number()),
  categories: v.optional(
    v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(500))), v.minLength(1)),
  ),
  lower_is_better: v.optional(v.boolean()),
});

/** The keys that feedback may have beside the three that are always there, and what each takes. */
export const FeedbackKeys = v.pipe(
  v.record(FeedbackKey, Form),
  v.check(
    (keys) => Object.values(keys).every(({ type, categories }) => type !== "category" || categories),
    "a key of type category needs its categories",
  ),
);
export type FeedbackKeys = v.InferOutput<typeof FeedbackKeys>;
