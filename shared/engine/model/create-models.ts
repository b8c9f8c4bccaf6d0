import { ServiceError } from "../../errors.ts";
import { type Clock, systemClock } from "../../runtime/clock.ts";
import { readSecret } from "../../runtime/secrets/read-secret.ts";
import { type ProviderName, parseModelSpec, providerLabels } from "../../schemas/values/model-spec.ts";
import type { ModelPrices } from "../../settings/values/model-prices.ts";
import type { ModelProviders, StructuredOutput } from "../../settings/values/model-providers.ts";
import { connectProviders, type ProviderConfig } from "./connect-providers.ts";
import { describeModels } from "./describe-models.ts";
import { withIdleLimits } from "./idle-limit.ts";
import { loadModel, type ModelAccess } from "./load-model.ts";
import type { Models, ResolvedModel } from "./models.ts";

/** Variables that say which model is used, how the providers are reached, and what tokens cost. */
export type ModelConfig = ProviderConfig & {
  readonly MODEL_PRICES?: ModelPrices | undefined;
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
    ...describeModels(config.MODEL, config.MODEL_PRICES ?? {}),
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
  { MODEL: configured, MODEL_PROVIDERS: providers = {} }: ModelConfig,
  access: ModelAccess,
): Promise<ResolvedModel> {
  const parsed = parseModelSpec(spec);
  if (!parsed)
    throw new ServiceError("UNAVAILABLE", `${spec} does not name a model: expected <provider>:<id>`);
  if (parsed.provider === "scripted" && configured !== spec) {
    throw new ServiceError("UNAVAILABLE", "the scripted model is not configured here");
  }
  const structured = structuredBy(parsed.provider, providers);
  const { providerOptions, ...loaded } = await loadModel(parsed, access, structured);
  const { model } = loaded;
  return {
    model: parsed.provider === "scripted" ? model : withIdleLimits(model, access.idle, access),
    id: parsed.id,
    provider: providerLabels[parsed.provider],
    structured,
    // Its package leaves the tools out of the request then, and with them the results, which the service takes with tools only.
    forbidsTools: parsed.provider !== "amazon-bedrock",
    takesToolFiles: fullyCapable.has(parsed.provider) || parsed.provider === "scripted",
    ...(providerOptions && { providerOptions }),
  };
}
