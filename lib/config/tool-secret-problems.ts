import { neededSecrets, type RegistryManifest } from "../../shared/runtime/registry-manifest.ts";
import { hintOf, nearestName } from "../../shared/schemas/values/nearest-name.ts";
import type { SettingValues } from "../../shared/settings/table.ts";

/**
 * What is wrong between the secrets that tools declare and those that the configuration maps to Secrets Manager: without
 * the check the first call of a tool would say so, after the deployment.
 */
export function toolSecretProblems(
  { stage, toolSecrets }: SettingValues,
  needs: RegistryManifest["needs"],
): string[] {
  const needed = neededSecrets(needs);
  const mapped = Object.keys(toolSecrets);
  const missing = [...needed].filter(([secret]) => !mapped.includes(secret));
  const unknown = mapped.filter((secret) => !needed.has(secret));
  return [
    // On one machine what is not mapped comes from its environment, which is checked there.
    ...(stage === "local" ? [] : missing).map(
      ([secret, name]) =>
        `toolSecrets: ${name} needs ${secret}; say which secret of Secrets Manager holds it: {"${secret}": "<name or ARN>"}`,
    ),
    ...unknown.map((secret) => {
      const declared = [...needed.keys()];
      const nearest = nearestName(secret, declared);
      const others = declared.length === 0 ? "no tool declares any" : `they declare ${declared.join(", ")}`;
      return `toolSecrets: no tool declares the secret ${secret}${hintOf(nearest) || `; ${others}`}`;
    }),
  ];
}
