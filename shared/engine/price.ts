import * as v from "valibot";
import type { Usage } from "./metrics.ts";

/** What a model costs, in dollars. */
export type ModelPrice = { readonly input_per_million: number; readonly output_per_million: number };

export type ModelPrices = Readonly<Record<string, ModelPrice>>;

const dollars = v.pipe(v.number(), v.minValue(0));
const Prices = v.record(v.string(), v.object({ input_per_million: dollars, output_per_million: dollars }));

const MILLION = 1_000_000;

/** Dollars that these tokens cost; undefined when the model's price is not known. */
export function costOf(usage: Usage, price: ModelPrice | undefined): number | undefined {
  if (!price) return undefined;
  const { input_tokens, output_tokens } = usage;
  return (input_tokens * price.input_per_million + output_tokens * price.output_per_million) / MILLION;
}

/**
 * Reads the setting `MODEL_PRICES`: a JSON object, specification → price.
 *
 * @throws Error when it is not one
 */
export function readPrices(text: string | undefined): ModelPrices {
  if (text === undefined || text === "") return {};
  return v.parse(Prices, JSON.parse(text));
}
