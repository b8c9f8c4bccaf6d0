import type { ProviderName } from "../../schemas/values/model-spec.ts";

/**
 * Host of the service that answers for a provider's models.
 *
 * @param baseUrl  the address that is configured for the provider
 * @param region   of AWS, where this process runs in one
 * @returns undefined where no service is called, or its address is not known
 */
export function serverOf(
  provider: ProviderName,
  baseUrl: string | undefined,
  region: string | undefined,
): string | undefined {
  if (provider === "scripted") return undefined;
  if (baseUrl !== undefined) return URL.parse(baseUrl)?.hostname;
  switch (provider) {
    case "openai":
      return "api.openai.com";
    case "anthropic":
      return "api.anthropic.com";
    case "amazon-bedrock":
      return region && `bedrock-runtime.${region}.amazonaws.com`;
    case "openai-compatible":
      return undefined;
  }
}
