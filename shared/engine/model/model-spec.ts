/** How each provider is called on the wire, by the name that a specification starts with. */
export const providerLabels = {
  scripted: "Scripted",
  "amazon-bedrock": "Amazon Bedrock",
  openai: "OpenAI",
  anthropic: "Anthropic",
  "openai-compatible": "OpenAI compatible",
} as const;

export type ProviderName = keyof typeof providerLabels;

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

/**
 * Reads a specification as clients write it: blanks around the provider's name, and its case, do not matter.
 *
 * @returns the specification as `parseModelSpec` reads it; undefined when it names no model
 */
export function normalModelSpec(asked: string): string | undefined {
  const colon = asked.indexOf(":");
  if (colon < 0) return undefined;
  const provider = asked.slice(0, colon).trim().toLowerCase();
  const id = asked.slice(colon + 1).trim();
  if (provider === "scripted" && id !== "") return "scripted";
  const spec = `${provider}:${id}`;
  return parseModelSpec(spec) && spec;
}

/**
 * The specification of a model that is named by its provider, as the wire shows it or as specifications do, and its id.
 *
 * @returns undefined when there is no such provider
 */
export function specOfModel(provider: string, id: string): string | undefined {
  const asked = provider.trim().toLowerCase();
  const labelled = Object.entries(providerLabels).find(([, label]) => label.toLowerCase() === asked);
  return normalModelSpec(`${labelled?.[0] ?? asked}:${id}`);
}

const isProvider = (name: string): name is ProviderName => Object.hasOwn(providerLabels, name);
