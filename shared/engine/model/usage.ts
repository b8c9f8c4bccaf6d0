import type { LanguageModelV4Usage } from "@ai-sdk/provider";

/** Token counts under their wire names. */
export type Usage = {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly reasoning_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
};

export const noUsage: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
};

/** Counts of one model call; what the provider does not report, or reports as less than nothing, is 0. */
export function usageFrom({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage {
  return {
    input_tokens: count(inputTokens.total),
    output_tokens: count(outputTokens.total),
    reasoning_tokens: count(outputTokens.reasoning),
    cache_read_tokens: count(inputTokens.cacheRead),
    cache_write_tokens: count(inputTokens.cacheWrite),
  };
}

/** A budget must never grow by being spent. */
const count = (reported: number | undefined): number => Math.max(0, reported ?? 0);

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    reasoning_tokens: a.reasoning_tokens + b.reasoning_tokens,
    cache_read_tokens: a.cache_read_tokens + b.cache_read_tokens,
    cache_write_tokens: a.cache_write_tokens + b.cache_write_tokens,
  };
}
