import { ServiceError } from "../../errors.ts";
import { type Clock, systemClock } from "../../runtime/clock.ts";
import { describeModels } from "./describe-models.ts";
import { loadModel, type ModelAccess } from "./load-model.ts";
import { readPrices } from "./model-price.ts";
import { type ProviderName, parseModelSpec, providerLabels } from "./model-spec.ts";
import type { Models, ResolvedModel } from "./models.ts";

/** Variables that say which model is used and how it is reached. */
export type ModelConfig = {
  /** The default specification. */
  readonly MODEL: string;
  /** Address of the service behind `openai-compatible`; replaces the other providers' own address too. */
  readonly MODEL_BASE_URL?: string | undefined;
  readonly OPENAI_API_KEY?: string | undefined;
  readonly ANTHROPIC_API_KEY?: string | undefined;
  /** For any provider whose own variable is not set. */
  readonly MODEL_API_KEY?: string | undefined;
  /** JSON: dollars for a million tokens, by specification. See `readPrices`. */
  readonly MODEL_PRICES?: string | undefined;
};

export type ModelPorts = {
  /** Fetches the key from the secret store; called only when no variable holds one. */
  readonly apiKey?: () => Promise<string | undefined>;
  readonly clock?: Pick<Clock, "sleep">;
};

/**
 * The models that agents can name.
 *
 * @decided  The scripted model answers only where it is the configured default: an agent that names it cannot
 *           bring it to a stage that runs on a real one.
 */
export function createModels(config: ModelConfig, ports: ModelPorts = {}): Models {
  const access: ModelAccess = {
    baseUrl: config.MODEL_BASE_URL,
    keys: { openai: config.OPENAI_API_KEY, anthropic: config.ANTHROPIC_API_KEY },
    anyKey: config.MODEL_API_KEY,
    fetchKey: ports.apiKey ?? (async () => undefined),
    sleep: (ports.clock ?? systemClock).sleep,
  };
  const loaded = new Map<string, Promise<ResolvedModel>>();
  return {
    resolve: (spec = config.MODEL) => {
      const cached = loaded.get(spec);
      if (cached) return cached;
      const loading = load(spec, config.MODEL, access);
      loaded.set(spec, loading);
      // A failure is not cached: the key may be available for the next run.
      loading.catch(() => loaded.delete(spec));
      return loading;
    },
    ...describeModels(config.MODEL, readPrices(config.MODEL_PRICES ?? "{}")),
  };
}

/**
 * Providers that take schemas and files from tools. Servers behind `openai-compatible` differ too much to rely on: some
 * refuse a schema, and its wire writes a tool's files out as text.
 */
const fullyCapable: ReadonlySet<ProviderName> = new Set(["amazon-bedrock", "openai", "anthropic"]);

async function load(spec: string, configured: string, access: ModelAccess): Promise<ResolvedModel> {
  const parsed = parseModelSpec(spec);
  if (!parsed)
    throw new ServiceError("UNAVAILABLE", `${spec} does not name a model: expected <provider>:<id>`);
  if (parsed.provider === "scripted" && configured !== spec) {
    throw new ServiceError("UNAVAILABLE", "the scripted model is not configured here");
  }
  const { providerOptions, ...loaded } = await loadModel(parsed, access);
  return {
    model: loaded.model,
    id: parsed.id,
    provider: providerLabels[parsed.provider],
    takesSchema: fullyCapable.has(parsed.provider),
    takesToolFiles: fullyCapable.has(parsed.provider) || parsed.provider === "scripted",
    ...(providerOptions && { providerOptions }),
  };
}
