import type { TokenUsage } from "@ag-ui/core";

type Call = {
  readonly model: string;
  readonly model_provider: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  readonly reasoning_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
};

type Counts = Required<TokenUsage>;

/** The tokens of all model calls of a stream, by provider and model. */
export function runUsage() {
  const byModel = new Map<string, Counts>();
  return {
    add(call: Call): void {
      const key = `${call.model_provider} ${call.model}`;
      const sum = byModel.get(key);
      byModel.set(key, {
        provider: call.model_provider,
        model: call.model,
        inputTokens: (sum?.inputTokens ?? 0) + call.input_tokens,
        outputTokens: (sum?.outputTokens ?? 0) + call.output_tokens,
        totalTokens: (sum?.totalTokens ?? 0) + call.total_tokens,
        reasoningTokens: (sum?.reasoningTokens ?? 0) + call.reasoning_tokens,
        cachedInputTokens: (sum?.cachedInputTokens ?? 0) + call.cache_read_tokens,
        cacheWriteInputTokens: (sum?.cacheWriteInputTokens ?? 0) + call.cache_write_tokens,
      });
    },
    entries: (): TokenUsage[] => [...byModel.values()],
  };
}
