import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { environmentOf, isSetting, knownVariables } from "../../local/template/app-context.ts";
import { envFiles } from "../../local/template/tool-secrets.ts";
import { localEnvironment } from "../config/local-environment.ts";
import type { ProjectConfig } from "../config/project-config.ts";

/** Where a setting, a key or a secret has its value from. */
export type Source = {
  readonly name: string;
  /** Where it is, the place that counts first; empty where it is nowhere. */
  readonly from: readonly string[];
};

type Sources = {
  readonly config: Pick<ProjectConfig, "settings" | "local">;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** With `.env.local` and `.env`. */
  readonly folder: string;
  /** That tools declare. */
  readonly secrets: readonly string[];
  /** Secrets that the settings map to Secrets Manager, which only a deployment reads, by their names. */
  readonly mapped: Readonly<Record<string, string>>;
};

/**
 * Where everything that is set has its value from: the environment, `.env.local`, `.env`, the config; and Secrets Manager, which
 * only a deployment reads. The files hold keys and secrets alone. Values are never shown.
 */
export function settingSources({ config, environment, folder, secrets, mapped }: Sources): readonly Source[] {
  const files = envFiles
    .map((name) => ({ name, path: join(folder, name) }))
    .filter(({ path }) => existsSync(path))
    .map(({ name, path }) => ({ name, holds: parseEnv(readFileSync(path, "utf8")) }));
  const declared = [
    { name: "the config's local", holds: environmentOf(config.local ?? {}) },
    { name: "the config's settings", holds: localEnvironment({ settings: config.settings ?? {} }) },
  ];
  const names = [...new Set([...knownVariables, ...secrets])];
  return names.flatMap((name) => {
    const places = [{ name: "environment", holds: environment }, ...(isSetting(name) ? declared : files)];
    const from = places.filter(({ holds }) => holds[name]).map((place) => place.name);
    const secret = mapped[name];
    const all = secret === undefined ? from : [...from, `Secrets Manager (${secret}), when deployed`];
    return all.length > 0 || secrets.includes(name) ? [{ name, from: all }] : [];
  });
}

/** `CRM_KEY: .env.local, before .env` */
export const sourceLine = ({ name, from: [first = "nowhere", ...others] }: Source): string =>
  `${name}: ${first}${others.length > 0 ? `, before ${others.join(", ")}` : ""}`;
