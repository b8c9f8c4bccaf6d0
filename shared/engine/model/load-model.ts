import { ServiceError } from "../../errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import { type ModelSpec, type ProviderName, providerLabels } from "../../schemas/values/model-spec.ts";
import type { StructuredOutput } from "../../settings/values/model-providers.ts";
import type { ProviderAccess } from "./connect-providers.ts";
import type { IdleLimits } from "./idle-limit.ts";
import type { ResolvedModel } from "./models.ts";

/** How models are reached. */
export type ModelAccess = {
  readonly providerOf: (provider: ProviderName) => ProviderAccess;
  readonly sleep: Clock["sleep"];
  readonly idle: IdleLimits;
};

type Loaded = Pick<ResolvedModel, "model" | "providerOptions">;

/**
 * Loads the code of a provider and creates the model. Every provider is a chunk of its own in the bundle, which a
 * function loads only when its model needs it.
 *
 * @throws ServiceError UNAVAILABLE when an address or key is missing
 */
export async function loadModel(
  { provider, id }: ModelSpec,
  access: ModelAccess,
  structured: StructuredOutput,
): Promise<Loaded> {
  const reached = access.providerOf(provider);
  switch (provider) {
    case "scripted": {
      const { createScriptedModel } = await import("./scripted/scripted-model.ts");
      return { model: createScriptedModel(access.sleep) };
    }
    case "amazon-bedrock": {
      const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
      return { model: createAmazonBedrock(addressOf(reached))(id) };
    }
    case "openai": {
      const apiKey = await keyFor(provider, reached);
      const { createOpenAI } = await import("@ai-sdk/openai");
      // The conversation is stored here, so the provider stores nothing. Most callers' schemas are not written in the
      // dialect of strict schemas; the answer is validated here in any case.
      return {
        model: createOpenAI({ ...addressOf(reached), apiKey })(id),
        providerOptions: { openai: { store: false, strictJsonSchema: false } },
      };
    }
    case "anthropic": {
      const apiKey = await keyFor(provider, reached);
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return { model: createAnthropic({ ...addressOf(reached), apiKey })(id) };
    }
    case "openai-compatible":
      return { model: await openAiCompatible(id, reached, structured) };
  }
}

async function openAiCompatible(
  id: string,
  { baseUrl, fetchKey }: ProviderAccess,
  structured: StructuredOutput,
) {
  if (!baseUrl) throw new ServiceError("UNAVAILABLE", "no address for openai-compatible is configured");
  const apiKey = await fetchKey();
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const provider = createOpenAICompatible({
    name: "openai-compatible",
    baseURL: baseUrl,
    includeUsage: true,
    supportsStructuredOutputs: structured === "json_schema",
    // Many such servers are private and need no key.
    ...(apiKey && { apiKey }),
  });
  return provider(id);
}

const addressOf = ({ baseUrl }: ProviderAccess) => (baseUrl ? { baseURL: baseUrl } : {});

async function keyFor(provider: ProviderName, { fetchKey }: ProviderAccess): Promise<string> {
  const key = await fetchKey();
  if (key) return key;
  throw new ServiceError("UNAVAILABLE", `no key for ${providerLabels[provider]} is configured`);
}
