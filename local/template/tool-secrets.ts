import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { neededSecrets, type RegistryManifest } from "../../shared/runtime/registry-manifest.ts";
import { StartupError } from "../startup-error.ts";
import { isSetting } from "./app-context.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The files that keys and secrets come from, the first that has one before the others; the environment is before all. */
export const envFiles = [".env.local", ".env"] as const;
/** As `envFiles`, for a project's tests: they do not see what one person keeps for this machine. */
export const testEnvFiles = [".env.test", ".env"] as const;

/**
 * The environment with the keys and secrets of the files in a folder. What is set in the environment wins. Settings are
 * not taken from the files: scripts that read the environment too would see others.
 */
export function withEnvFiles(
  environment: Environment,
  folder: string,
  files: readonly string[] = envFiles,
): Environment {
  const given = files
    .map((name) => join(folder, name))
    .filter(existsSync)
    .flatMap((file) =>
      Object.entries(parseEnv(readFileSync(file, "utf8"))).filter(([name]) => !isSetting(name)),
    )
    .reverse();
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
