import { needsKey, parseModelSpec } from "../../shared/schemas/values/model-spec.ts";
import type { SettingValues } from "../../shared/settings/table.ts";
import { parseEmbedderSpec } from "../../shared/settings/values/knowledge-bases.ts";

/**
 * What is missing so that the configured models answer: without the check the first run would say so, after the
 * deployment. Not for one machine, where keys are in the environment.
 */
export function missingKeys(settings: SettingValues): string[] {
  const { model, judgeModel, modelApiKeySecret, modelProviders = {} } = settings;
  const { embedder, embedderApiKeySecret } = settings;
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
  const isKeyless = parseEmbedderSpec(embedder)?.provider === "openai" && embedderApiKeySecret === undefined;
  return isKeyless
    ? [...problems, `embedderApiKeySecret: openai ${NO_ANSWER}; name the secret that holds it`]
    : problems;
}

const NO_ANSWER = "does not answer without a key";
