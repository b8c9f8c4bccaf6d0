import { neededSecrets, type RegistryManifest } from "../../shared/runtime/registry-manifest.ts";

/**
 * What a reload cannot give to tools: their secrets are read when the platform starts.
 *
 * @returns a sentence; undefined where the tools need no other secrets than those that it was started for
 */
export function newSecrets(started: RegistryManifest, now: RegistryManifest): string | undefined {
  const before = neededSecrets(started.needs);
  const added = [...neededSecrets(now.needs)].filter(([secret]) => !before.has(secret));
  if (added.length === 0) return undefined;
  const needs = added.map(([secret, tool]) => `${tool} needs the secret ${secret}`);
  return `${needs.join(", ")}: put it into .env, then stop and start again`;
}
