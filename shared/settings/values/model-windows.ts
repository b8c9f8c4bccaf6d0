import * as v from "valibot";

/** Tokens that a model takes in one call, prompt and answer together, by model specification. */
export const ModelWindows = v.record(
  v.string(),
  v.pipe(v.number("must be a number of tokens"), v.integer(), v.minValue(1_000)),
);
export type ModelWindows = v.InferOutput<typeof ModelWindows>;
