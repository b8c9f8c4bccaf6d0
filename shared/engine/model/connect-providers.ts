import { type ProviderName, parseModelSpec } from "../../schemas/values/model-spec.ts";
import type { ModelProviders } from "../../settings/values/model-providers.ts";

/** Variables that say how the providers of models are reached. */
export type ProviderConfig = {
  /** The default specification. The next three variables are about its provider, and about no other. */
  readonly MODEL: string;
  readonly MODEL_BASE_URL?: string | undefined;
  readonly MODEL_API_KEY?: string | undefined;
  readonly MODEL_API_KEY_SECRET?: string | undefined;
  /** Keys on one machine; on AWS they are secrets. */
  readonly OPENAI_API_KEY?: string | undefined;
  readonly ANTHROPIC_API_KEY?: string | undefined;
  readonly OPENAI_COMPATIBLE_API_KEY?: string | undefined;
  readonly MODEL_PROVIDERS?: ModelProviders | undefined;
};

/** How one provider is reached; what is not configured is absent. */
export type ProviderAccess = {
  readonly baseUrl?: string;
  /** Fetches the key; undefined when none is configured for this provider. */
  readonly fetchKey: () => Promise<string | undefined>;
};

/**
 * Makes the function that says how a provider is reached. A key belongs to one provider: the key of the default model
 * is not used for a model of another provider, since it would be sent to the other's address.
 *
 * @param readSecret  reads a secret by its name; called only where no variable holds the key
 */
export function connectProviders(
  config: ProviderConfig,
  readSecret: (name: string) => Promise<string>,
): (provider: ProviderName) => ProviderAccess {
  const configured = parseModelSpec(config.MODEL)?.provider;
  return (provider) => {
    const own = ownSettings(config.MODEL_PROVIDERS ?? {}, provider);
    const isDefault = provider === configured;
    const baseUrl = own.baseUrl ?? (isDefault ? config.MODEL_BASE_URL : undefined);
    const key = variableKey(config, provider) ?? (isDefault ? config.MODEL_API_KEY : undefined);
    const secret = own.apiKeySecret ?? (isDefault ? config.MODEL_API_KEY_SECRET : undefined);
    return {
      ...(baseUrl !== undefined && { baseUrl }),
      fetchKey: async () => key ?? (secret === undefined ? undefined : readSecret(secret)),
    };
  };
}

function ownSettings(
  settings: ModelProviders,
  provider: ProviderName,
): { readonly baseUrl?: string | undefined; readonly apiKeySecret?: string | undefined } {
  return provider === "scripted" ? {} : (settings[provider] ?? {});
}

function variableKey(config: ProviderConfig, provider: ProviderName): string | undefined {
  if (provider === "openai") return config.OPENAI_API_KEY;
  if (provider === "anthropic") return config.ANTHROPIC_API_KEY;
  return provider === "openai-compatible" ? config.OPENAI_COMPATIBLE_API_KEY : undefined;
}
