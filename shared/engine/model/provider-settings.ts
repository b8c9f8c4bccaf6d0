import * as v from "valibot";
import { SecretName } from "../../runtime/secret-name.ts";
import { parsedJson } from "../../schemas/values/json-text.ts";

const address = v.pipe(v.string("must be a text"), v.url("must be a URL"));

const KeyedProvider = v.strictObject({
  /** Name of the Secrets Manager secret that holds the key. */
  apiKeySecret: v.optional(SecretName),
  /** Replaces the provider's own address. */
  baseUrl: v.optional(address),
});

/** How providers are reached, by their name. Each has a key of its own, which no other provider is ever sent. */
export const ProviderSettings = v.pipe(
  v.unknown(),
  // Valibot accepts a list as an object.
  v.check((value) => !Array.isArray(value), "must be a JSON object"),
  v.strictObject({
    openai: v.optional(KeyedProvider),
    anthropic: v.optional(KeyedProvider),
    "openai-compatible": v.optional(KeyedProvider),
    "amazon-bedrock": v.optional(
      v.strictObject({
        baseUrl: v.optional(address),
        /** Models that functions get the permission to call, besides the default and the judge. */
        models: v.optional(v.array(v.pipe(v.string(), v.nonEmpty("must name a model")))),
      }),
    ),
  }),
);
export type ProviderSettings = v.InferOutput<typeof ProviderSettings>;

/**
 * Reads `MODEL_PROVIDERS`.
 *
 * @param text  JSON: `{"anthropic": {"apiKeySecret": "models/anthropic"}, "openai-compatible": {"baseUrl": "https://…"}}`
 * @throws Error naming what is wrong
 */
export function readProviderSettings(text: string): ProviderSettings {
  const parsed = v.safeParse(ProviderSettings, parsedJson(text));
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new Error(`MODEL_PROVIDERS: ${v.getDotPath(issue) ?? "as a whole"}: ${issue.message}`);
}
