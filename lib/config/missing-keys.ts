import { needsKey, parseModelSpec } from "../../shared/engine/model/model-spec.ts";
import type { ProviderSettings } from "../../shared/engine/model/provider-settings.ts";
import { parseEmbedderSpec } from "../../shared/runtime/knowledge-settings.ts";

/** The settings of models and of the embedder, and the names of the secrets with their keys. */
export type KeyedSettings = {
  readonly model: string;
  readonly judgeModel?: string | undefined;
  readonly modelApiKeySecret?: string | undefined;
  readonly modelProviders: ProviderSettings;
  readonly embedder?: string | undefined;
  readonly embedderApiKeySecret?: string | undefined;
};

/**
 * What is missing so that the configured models answer: without the check the first run would say so, after the
 * deployment. Not for one machine, where keys are in the environment.
 */
export function missingKeys(settings: KeyedSettings): string[] {
  const { model, judgeModel, modelApiKeySecret, modelProviders, embedder, embedderApiKeySecret } = settings;
  const provider = parseModelSpec(model)?.provider;
  const called = [provider, parseModelSpec(judgeModel ?? "")?.provider].filter((name) => name !== undefined);
  const problems = [...new Set(called)].filter(needsKey).flatMap((name) => {
    const isOwn = name === provider;
    if (modelProviders[name]?.apiKeySecret !== undefined || (isOwn && modelApiKeySecret !== undefined))
      return [];
    return isOwn && !Object.hasOwn(modelProviders, name)
      ? `modelApiKeySecret: ${name} ${NO_ANSWER}; name the secret that holds it`
      : `modelProviders: ${name} ${NO_ANSWER}; give it an apiKeySecret, the name of the secret that holds it`;
  });
  const isKeyless =
    parseEmbedderSpec(embedder ?? "")?.provider === "openai" && embedderApiKeySecret === undefined;
  return isKeyless
    ? [...problems, `embedderApiKeySecret: openai ${NO_ANSWER}; name the secret that holds it`]
    : problems;
}

const NO_ANSWER = "does not answer without a key";
