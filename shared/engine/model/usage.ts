import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { ModelPrice } from "../../settings/values/model-prices.ts";

/** Token counts under their wire names. */
export type Usage = {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly reasoning_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
  /** Some of it is counted here, because the service did not count it. */
  readonly usage_estimated?: true;
};

export const noUsage: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
};

/** Counts of one model call; what the provider does not report, or what cannot be, is 0. */
export function usageFrom({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage {
  return {
    input_tokens: count(inputTokens.total),
    output_tokens: count(outputTokens.total),
    reasoning_tokens: count(outputTokens.reasoning),
    cache_read_tokens: count(inputTokens.cacheRead),
    cache_write_tokens: count(inputTokens.cacheWrite),
  };
}

/** More than any model takes or gives in one call. */
const TOO_MANY = 10_000_000;

/** A budget must never grow by being spent. */
const count = (reported: unknown): number =>
  typeof reported === "number" && reported > 0 && reported < TOO_MANY ? reported : 0;

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    reasoning_tokens: a.reasoning_tokens + b.reasoning_tokens,
    cache_read_tokens: a.cache_read_tokens + b.cache_read_tokens,
    cache_write_tokens: a.cache_write_tokens + b.cache_write_tokens,
    ...((a.usage_estimated || b.usage_estimated) && { usage_estimated: true }),
  };
}

/** What was used since an earlier count. */
export function subtractUsage(a: Usage, b: Usage): Usage {
  return {
    input_tokens: a.input_tokens - b.input_tokens,
    output_tokens: a.output_tokens - b.output_tokens,
    reasoning_tokens: a.reasoning_tokens - b.reasoning_tokens,
    cache_read_tokens: a.cache_read_tokens - b.cache_read_tokens,
    cache_write_tokens: a.cache_write_tokens - b.cache_write_tokens,
    ...(a.usage_estimated && { usage_estimated: true }),
  };
}

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
