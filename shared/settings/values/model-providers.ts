import * as v from "valibot";
import { SecretName } from "../forms.ts";

const address = v.pipe(v.string("must be a text"), v.url("must be a URL"));

const KeyedProvider = v.strictObject({
  /** Name of the Secrets Manager secret that holds the key. */
  apiKeySecret: v.optional(SecretName),
  /** Replaces the provider's own address. */
  baseUrl: v.optional(address),
});

/** How a server takes the shape of an answer: `json_schema` and `json_object` are its response formats, `prompt` an instruction. */
const StructuredOutput = v.optional(v.picklist(["json_schema", "json_object", "prompt"]));
export type StructuredOutput = NonNullable<v.InferOutput<typeof StructuredOutput>>;

/** How a server is asked to cache prompts: by a key of the session, by marks in messages, or not at all. */
const CacheForm = v.optional(v.picklist(["none", "key", "marks"]));

/** How providers are reached, by their name. Each has a key of its own, which no other provider is ever sent. */
export const ModelProviders = v.strictObject({
  openai: v.optional(KeyedProvider),
  anthropic: v.optional(KeyedProvider),
  "openai-compatible": v.optional(
    v.strictObject({ ...KeyedProvider.entries, structured: StructuredOutput, promptCache: CacheForm }),
  ),
  "amazon-bedrock": v.optional(
    v.strictObject({
      baseUrl: v.optional(address),
      /** Models that functions get the permission to call, in addition to the default and the judge. */
      models: v.optional(v.array(v.pipe(v.string(), v.nonEmpty("must name a model")))),
    }),
  ),
});
export type ModelProviders = v.InferOutput<typeof ModelProviders>;
