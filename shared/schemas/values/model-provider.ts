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
