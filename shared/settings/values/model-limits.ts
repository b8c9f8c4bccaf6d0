import * as v from "valibot";

const limit = v.optional(v.pipe(v.number(), v.minValue(1)));

/** What all workers together may ask of a model; what is absent has no limit. */
const ModelLimit = v.strictObject(
  { requests_per_minute: limit, tokens_per_minute: limit, concurrent: limit },
  "must be limits of a model",
);

/** Limits by model specification. */
export const ModelLimits = v.record(v.string(), ModelLimit);
export type ModelLimits = v.InferOutput<typeof ModelLimits>;
