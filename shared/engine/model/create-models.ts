import { createHash } from "node:crypto";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { serverOf } from "../../domain/models/server-of.ts";
import { ServiceError } from "../../errors.ts";
import { type Clock, systemClock } from "../../runtime/clock.ts";
import { readSecret } from "../../runtime/secrets/read-secret.ts";
import {
  type ModelSpec,
  type ProviderName,
  parseModelSpec,
  providerLabels,
} from "../../schemas/values/model-spec.ts";
import type { ModelPrices } from "../../settings/values/model-prices.ts";
import type { ModelProviders, StructuredOutput } from "../../settings/values/model-providers.ts";
import type { ModelWindows } from "../../settings/values/model-windows.ts";
import type { PromptCache } from "../../settings/values/prompt-cache.ts";
import { cacheSupportOf } from "./cache-support.ts";
import { declaredModel } from "./declared-model.ts";
import { type IdleLimits, withIdleLimits } from "./idle-limit.ts";
import { describeModels, type Models, type ResolvedModel } from "./models.ts";
import { windowOf } from "./windows.ts";

/** Variables that say which model is used, how the providers are reached, and what tokens cost. */
export type ModelConfig = ProviderConfig & {
  readonly MODEL_PRICES?: ModelPrices | undefined;
  readonly MODEL_WINDOWS?: ModelWindows | undefined;
  readonly PROMPT_CACHE?: PromptCache | undefined;
  readonly OS_ID?: string | undefined;
  readonly HELPER_MODEL?: string | undefined;
  readonly MODEL_FIRST_TOKEN_SECONDS?: number | undefined;
  readonly MODEL_SILENCE_SECONDS?: number | undefined;
};

export type ModelPorts = {
  /** Reads a secret by its name; called only when no variable holds the key. */
  readonly readSecret?: (name: string) => Promise<string>;
  readonly clock?: Pick<Clock, "sleep">;
};

/**
 * The models that agents can name.
 *
 * @decided  The scripted model answers only where it is the configured default: an agent that names it cannot
 *           bring it to a stage that runs on a real one.
 */
export function createModels(config: ModelConfig, ports: ModelPorts = {}): Models {
  const providerOf = connectProviders(config, ports.readSecret ?? readSecret);
  const { sleep } = ports.clock ?? systemClock;
  const { MODEL_FIRST_TOKEN_SECONDS: first = 60, MODEL_SILENCE_SECONDS: between = 90 } = config;
  const access: ModelAccess = { providerOf, sleep, idle: { first, between } };
  const loaded = new Map<string, Promise<ResolvedModel>>();
  return {
    resolve: (spec = config.MODEL) => {
      const cached = loaded.get(spec);
      if (cached) return cached;
      const loading = load(spec, config, access);
      loaded.set(spec, loading);
      // A failure is not cached: the key may be available for the next run.
      loading.catch(() => loaded.delete(spec));
      return loading;
    },
    serverOf: (spec = config.MODEL) => {
      const provider = parseModelSpec(spec)?.provider;
      return provider && serverOf(provider, providerOf(provider).baseUrl, process.env.AWS_REGION);
    },
    windowOf: (spec = config.MODEL) => windowOf(spec, config.MODEL_WINDOWS),
    ...(config.HELPER_MODEL !== undefined && { helper: config.HELPER_MODEL }),
    ...describeModels(
      config.MODEL,
      config.MODEL_PRICES ?? {},
      config.PROMPT_CACHE === "1h" ? "1h" : undefined,
    ),
  };
}

/**
 * Providers that take schemas and files from tools. Servers behind `openai-compatible` differ: some refuse a schema, which
 * `structured` says, and its wire writes a tool's files out as text.
 */
const fullyCapable: ReadonlySet<ProviderName> = new Set(["amazon-bedrock", "openai", "anthropic"]);

/** What is configured for servers that differ; scripts are given the schema as an instruction. */
function structuredBy(provider: ProviderName, providers: ModelProviders): StructuredOutput {
  if (fullyCapable.has(provider)) return "json_schema";
  return provider === "openai-compatible" ? (providers[provider]?.structured ?? "prompt") : "prompt";
}

async function load(
  spec: string,
  {
    MODEL: configured,
    MODEL_PROVIDERS: providers = {},
    PROMPT_CACHE: promptCache,
    OS_ID: os_id,
  }: ModelConfig,
  access: ModelAccess,
): Promise<ResolvedModel> {
  const own = declaredModel(spec);
  if (own) return resolvedOwn(own, access);
  const parsed = parseModelSpec(spec);
  if (!parsed)
    throw new ServiceError("UNAVAILABLE", `${spec} does not name a model: expected <provider>:<id>`);
  if (parsed.provider === "scripted" && configured !== spec) {
    throw new ServiceError("UNAVAILABLE", "the scripted model is not configured here");
  }
  const structured = structuredBy(parsed.provider, providers);
  const reached = access.providerOf(parsed.provider);
  const { providerOptions, model } = await loadModel(parsed, reached, access.sleep, structured);
  const key = parsed.provider === "scripted" ? undefined : await reached.fetchKey();
  const cache = cacheSupportOf(parsed, providers, {
    ...(promptCache && { promptCache }),
    ...(os_id && { os_id }),
  });
  return {
    model: parsed.provider === "scripted" ? model : withIdleLimits(model, access.idle, access),
    id: parsed.id,
    provider: providerLabels[parsed.provider],
    structured,
    ...(key !== undefined && { account: createHash("sha256").update(key).digest("hex").slice(0, 12) }),
    // Its package leaves the tools out of the request then, and with them the results, which the service takes with tools only.
    forbidsTools: parsed.provider !== "amazon-bedrock",
    takesToolFiles: fullyCapable.has(parsed.provider) || parsed.provider === "scripted",
    ...(cache && { cache }),
    ...(providerOptions && { providerOptions }),
  };
}

/** A model that code declares as an object. What its service can do is not known, so nothing is left to it. */
const resolvedOwn = (model: LanguageModelV4, access: ModelAccess): ResolvedModel => ({
  model: withIdleLimits(model, access.idle, access),
  id: model.modelId,
  provider: model.provider,
  structured: "prompt",
  forbidsTools: !model.provider.startsWith("amazon-bedrock"),
  takesToolFiles: false,
});

/** How models are reached. */
type ModelAccess = {
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
async function loadModel(
  { provider, id }: ModelSpec,
  reached: ProviderAccess,
  sleep: Clock["sleep"],
  structured: StructuredOutput,
): Promise<Loaded> {
  switch (provider) {
    case "scripted": {
      const { createScriptedModel } = await import("./scripted-model.ts");
      return { model: createScriptedModel(sleep) };
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

/** Variables that say how the providers of models are reached. */
type ProviderConfig = {
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
type ProviderAccess = {
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
function connectProviders(
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
    let fetched: Promise<string | undefined> | undefined;
    return {
      ...(baseUrl !== undefined && { baseUrl }),
      fetchKey: () => {
        fetched ??= (async () => key ?? (secret === undefined ? undefined : readSecret(secret)))();
        return fetched;
      },
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
