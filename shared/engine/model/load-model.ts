import { ServiceError } from "../../errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import { type ModelSpec, providerLabels } from "./model-spec.ts";
import type { ResolvedModel } from "./models.ts";

/** How models are reached. */
export type ModelAccess = {
  readonly baseUrl: string | undefined;
  readonly keys: Readonly<Record<"openai" | "anthropic", string | undefined>>;
  readonly anyKey: string | undefined;
  readonly fetchKey: () => Promise<string | undefined>;
  readonly sleep: Clock["sleep"];
};

type Loaded = Pick<ResolvedModel, "model" | "providerOptions">;

/**
 * Loads the code of a provider and creates the model. Every provider is a chunk of its own in the bundle, which a
 * function loads only when its model needs it.
 *
 * @throws ServiceError UNAVAILABLE when an address or key is missing
 */
export async function loadModel({ provider, id }: ModelSpec, access: ModelAccess): Promise<Loaded> {
  switch (provider) {
    case "scripted": {
      const { createScriptedModel } = await import("./scripted/scripted-model.ts");
      return { model: createScriptedModel(access.sleep) };
    }
    case "amazon-bedrock": {
      const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
      return { model: createAmazonBedrock(address(access))(id) };
    }
    case "openai": {
      const apiKey = await keyFor("openai", access);
      const { createOpenAI } = await import("@ai-sdk/openai");
      // The conversation is stored here, so the provider stores nothing. Most callers' schemas are not written in the
      // dialect of strict schemas; the answer is validated here in any case.
      return {
        model: createOpenAI({ ...address(access), apiKey })(id),
        providerOptions: { openai: { store: false, strictJsonSchema: false } },
      };
    }
    case "anthropic": {
      const apiKey = await keyFor("anthropic", access);
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return { model: createAnthropic({ ...address(access), apiKey })(id) };
    }
    case "openai-compatible":
      return { model: await openAiCompatible(id, access) };
  }
}

async function openAiCompatible(id: string, access: ModelAccess) {
  const { baseUrl } = access;
  if (!baseUrl) throw new ServiceError("UNAVAILABLE", "openai-compatible needs MODEL_BASE_URL");
  const apiKey = access.anyKey ?? (await access.fetchKey());
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const name = "openai-compatible";
  // Many such servers are private and need no key.
  return createOpenAICompatible({ name, baseURL: baseUrl, includeUsage: true, ...(apiKey && { apiKey }) })(
    id,
  );
}

const address = ({ baseUrl }: ModelAccess) => (baseUrl ? { baseURL: baseUrl } : {});

async function keyFor(provider: "openai" | "anthropic", access: ModelAccess): Promise<string> {
  const key = access.keys[provider] ?? access.anyKey ?? (await access.fetchKey());
  if (key) return key;
  throw new ServiceError("UNAVAILABLE", `no key for ${providerLabels[provider]} is configured`);
}
