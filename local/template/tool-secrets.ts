import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { neededSecrets, type RegistryManifest } from "../../shared/runtime/registry-manifest.ts";
import { StartupError } from "../startup-error.ts";
import { isSetting } from "./app-context.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment with the keys and secrets of the `.env` in a folder. What is set in the environment wins. Settings are
 * not taken from the file: scripts that read the environment too would see others.
 */
export function withEnvFile(environment: Environment, folder: string): Environment {
  const file = join(folder, ".env");
  if (!existsSync(file)) return environment;
  const given = Object.entries(parseEnv(readFileSync(file, "utf8"))).filter(([name]) => !isSetting(name));
  const set = Object.entries(environment).filter(([, value]) => value !== undefined && value !== "");
  return { ...environment, ...Object.fromEntries(given), ...Object.fromEntries(set) };
}

/**
 * The values of the secrets that tools need, as far as the environment has them; the others are in Secrets Manager.
 *
 * @param mapped  names of the secrets that the configuration maps to Secrets Manager
 * @throws StartupError with the tool and what to do when a secret is nowhere
 */
export function toolSecretsIn(
  environment: Environment,
  needs: RegistryManifest["needs"],
  mapped: readonly string[],
  folder: string,
): Record<string, string> {
  const here = [...neededSecrets(needs)].filter(([secret]) => !mapped.includes(secret));
  const missing = here.filter(([secret]) => !environment[secret]);
  if (missing.length > 0) {
    const sentences = missing.map(
      ([secret, name]) => `${name} needs the secret ${secret}, and it is not set.`,
    );
    const [first = ""] = missing.map(([secret]) => secret);
    throw new StartupError(
      `${sentences.join("\n")}\nSet ${missing.length > 1 ? "them" : "it"} in the environment, or in ${join(folder, ".env")}: a line such as ${first}=<value>. Git ignores that file.`,
    );
  }
  return Object.fromEntries(here.map(([secret]) => [secret, environment[secret] ?? ""]));
}
