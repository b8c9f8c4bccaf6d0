/** Providers of models, by the name that a specification begins with. */
export const modelProviders = [
  "scripted",
  "amazon-bedrock",
  "openai",
  "anthropic",
  "openai-compatible",
] as const;
export type ModelProvider = (typeof modelProviders)[number];

/** A model's specification as it is written, for the interface description. Case and blanks do not matter when it is read. */
export const modelSpecSchema = {
  type: "string",
  pattern: `^(${modelProviders.join("|")})\\s*:\\s*\\S`,
} as const;

/** The label of each provider on the wire, by the name that a specification starts with. */
export const providerLabels = {
  scripted: "Scripted",
  "amazon-bedrock": "Amazon Bedrock",
  openai: "OpenAI",
  anthropic: "Anthropic",
  "openai-compatible": "OpenAI compatible",
} as const satisfies Readonly<Record<ModelProvider, string>>;

export type ProviderName = ModelProvider;

/** Providers that refuse calls without a key; others are called with a role, or may be open. */
const keyed: readonly ProviderName[] = ["openai", "anthropic"];

/** Whether a provider does not answer without a key. */
export const needsKey = (provider: ProviderName): provider is "openai" | "anthropic" =>
  keyed.includes(provider);

export type ModelSpec = { readonly provider: ProviderName; readonly id: string };

export const SCRIPTED_MODEL_ID = "scripted-1";

/**
 * Reads a model specification: `scripted`, or a provider's name, a colon and the model's id. Ids may hold colons.
 *
 * @returns undefined when it is neither
 */
export function parseModelSpec(spec: string): ModelSpec | undefined {
  if (spec === "scripted") return { provider: "scripted", id: SCRIPTED_MODEL_ID };
  const colon = spec.indexOf(":");
  const provider = spec.slice(0, Math.max(colon, 0));
  const id = spec.slice(colon + 1);
  return isProvider(provider) && provider !== "scripted" && id !== "" ? { provider, id } : undefined;
}

/** What the specification of a model begins with that code declares as an object: `declared:google.generative-ai/gemini-3`. */
export const DECLARED = "declared";

/** Provider and id of a model that code declares as an object; undefined for any other. */
export function parseDeclaredSpec(
  spec: string,
): { readonly provider: string; readonly id: string } | undefined {
  const [, provider, id] = /^declared:([^/]+)\/(.+?)(?:#\d+)?$/.exec(spec) ?? [];
  return provider !== undefined && id !== undefined ? { provider, id } : undefined;
}

/**
 * Reads a specification as clients write it: whitespace around the provider's name, and its case, do not matter.
 *
 * @returns the specification as `parseModelSpec` reads it; undefined when it names no model
 */
export function normalModelSpec(wanted: string): string | undefined {
  const colon = wanted.indexOf(":");
  if (colon < 0) return undefined;
  const provider = wanted.slice(0, colon).trim().toLowerCase();
  const id = wanted.slice(colon + 1).trim();
  if (provider === "scripted" && id !== "") return "scripted";
  const spec = `${provider}:${id}`;
  return parseModelSpec(spec) && spec;
}

/**
 * The specification of a model from its provider and id. The provider is its label on the wire, or its name as
 * specifications write it.
 *
 * @returns undefined when there is no such provider
 */
export function specOfModel(provider: string, id: string): string | undefined {
  const wanted = provider.trim().toLowerCase();
  const labelled = Object.entries(providerLabels).find(([, label]) => label.toLowerCase() === wanted);
  return normalModelSpec(`${labelled?.[0] ?? wanted}:${id}`);
}

const isProvider = (name: string): name is ProviderName => Object.hasOwn(providerLabels, name);
