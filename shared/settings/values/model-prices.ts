import * as v from "valibot";

const dollars = v.pipe(v.number(), v.minValue(0));

/** Dollars for a million tokens. Cached input without a price of its own costs the same as other input. */
export const ModelPrice = v.object(
  {
    input_per_million: dollars,
    output_per_million: dollars,
    cache_read_per_million: v.optional(dollars),
    cache_write_per_million: v.optional(dollars),
  },
  "must be prices of a model",
);
export type ModelPrice = v.InferOutput<typeof ModelPrice>;

/**
 * What daily budgets count for a model without a price. It is as high as list prices of large models go, so that such a budget
 * stops a run too early rather than too late.
 */
export const ASSUMED_PRICE: ModelPrice = { input_per_million: 15, output_per_million: 75 };

export const ModelPrices = v.record(v.string(), ModelPrice);
/** Prices by model specification. */
export type ModelPrices = v.InferOutput<typeof ModelPrices>;
