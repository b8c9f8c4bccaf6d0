import type { ProviderName } from "../../schemas/values/model-spec.ts";
import type { ModelPrice } from "../../settings/values/model-prices.ts";
import type { ModelProviders } from "../../settings/values/model-providers.ts";
import type { PromptCache } from "../../settings/values/prompt-cache.ts";

/** How a model's service is asked to cache prompts: by marks in the prompt, in one of three forms, or by a key of the session. */
export type CacheSupport = {
  readonly by: "anthropic_marks" | "bedrock_marks" | "compatible_marks" | "openai_key" | "compatible_key";
  /** How long an entry lives where the agent does not say; absent for the service's own five minutes. */
  readonly ttl?: "1h";
  /** Part of every key, so that two instances with one account share no entries by name. */
  readonly os_id: string;
};

/** Bedrock takes cache points for these families only. @decided  Others are assumed to refuse them. */
const BEDROCK_FAMILIES = /(?:^|[./])(?:anthropic\.|claude|amazon\.nova)/i;

/** @returns undefined where nothing is sent: the service caches by itself, or not at all */
export function cacheSupportOf(
  { provider, id }: { readonly provider: ProviderName; readonly id: string },
  providers: ModelProviders,
  { promptCache = "on", os_id = "" }: { readonly promptCache?: PromptCache; readonly os_id?: string },
): CacheSupport | undefined {
  const by = promptCache === "off" ? undefined : formOf(provider, id, providers);
  return by && { by, os_id, ...(promptCache === "1h" && { ttl: "1h" }) };
}

function formOf(
  provider: ProviderName,
  id: string,
  providers: ModelProviders,
): CacheSupport["by"] | undefined {
  switch (provider) {
    case "anthropic":
      return "anthropic_marks";
    case "openai":
      return "openai_key";
    case "amazon-bedrock":
      return BEDROCK_FAMILIES.test(id) ? "bedrock_marks" : undefined;
    case "openai-compatible": {
      const { promptCache = "none" } = providers["openai-compatible"] ?? {};
      return promptCache === "none"
        ? undefined
        : promptCache === "key"
          ? "compatible_key"
          : "compatible_marks";
    }
    case "scripted":
      return undefined;
  }
}

type Priced = ModelPrice & { readonly derived?: true };

/**
 * A price of Claude with those of its cache, where none are configured: by the list, reading costs a tenth of the input, and
 * writing a quarter more than it, or twice as much for an hour.
 *
 * @source Anthropic, "Prompt caching", prices
 */
export function withCachePrices(
  { provider, id }: { readonly provider: ProviderName; readonly id: string },
  price: ModelPrice,
  ttl: "1h" | undefined,
): Priced {
  const { input_per_million: input, cache_read_per_million, cache_write_per_million } = price;
  const isClaude =
    provider === "anthropic" || (provider === "amazon-bedrock" && /anthropic|claude/i.test(id));
  const isWhole = cache_read_per_million !== undefined && cache_write_per_million !== undefined;
  if (!isClaude || isWhole) return price;
  return {
    ...price,
    cache_read_per_million: cache_read_per_million ?? input * 0.1,
    cache_write_per_million: cache_write_per_million ?? input * (ttl === "1h" ? 2 : 1.25),
    derived: true,
  };
}
