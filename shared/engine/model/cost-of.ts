import type { ModelPrice } from "../../settings/values/model-prices.ts";
import type { Usage } from "./usage.ts";

export type { ModelPrice } from "../../settings/values/model-prices.ts";

/**
 * What tokens cost, in dollars. Reasoning is part of the output, cached tokens are part of the input.
 *
 * @returns undefined when the model has no price: an unknown cost is not 0
 */
export function costOf(usage: Usage, price: ModelPrice | undefined): number | undefined {
  if (!price) return undefined;
  const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens } = usage;
  const uncached = Math.max(0, input_tokens - cache_read_tokens - cache_write_tokens);
  const { input_per_million: input } = price;
  const millionths =
    uncached * input +
    cache_read_tokens * (price.cache_read_per_million ?? input) +
    cache_write_tokens * (price.cache_write_per_million ?? input) +
    output_tokens * price.output_per_million;
  return millionths / 1_000_000;
}
