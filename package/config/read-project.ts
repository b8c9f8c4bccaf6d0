import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { unknownSettings } from "../../shared/settings/names.ts";
import { UsageError } from "../cli/usage-error.ts";
import { PACKAGE_NAME } from "../name.ts";
import type { ProjectConfig, ProjectSettings } from "./project-config.ts";

/** A user's project as its config describes it. */
export type UserProject = {
  readonly folder: string;
  /** File that exports the `registry`. */
  readonly registry: string;
  readonly config: ProjectConfig;
};

/** Files of which one is the config of a project. */
export const projectFiles = [
  "agent-platform.config.ts",
  "agent-platform.config.mjs",
  "agent-platform.config.js",
];
const known = ["registry", "settings", "stages", "local"];

/**
 * Reads the project in a folder.
 *
 * @throws UsageError when there is none, or its config is not usable
 */
export async function readProject(folder: string = process.cwd()): Promise<UserProject> {
  const file = projectFiles.map((name) => join(folder, name)).find(existsSync);
  if (file === undefined) {
    throw new UsageError(
      `There is no ${projectFiles[0]} in ${folder}. Go to your project's folder, or make one: npx ${PACKAGE_NAME} new my-agents`,
    );
  }
  const { default: config } = await load(file);
  if (typeof config !== "object" || config === null) {
    throw new UsageError(`${file} must export its config: export default defineConfig({ … })`);
  }
  const unknown = Object.keys(config).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new UsageError(`${file}: ${unknown.join(", ")} is not known. It may have ${known.join(", ")}.`);
  }
  const read = config as ProjectConfig;
  for (const settings of [read.settings, read.local, ...Object.values(read.stages ?? {})]) {
    refuseUnknown(settings, file);
  }
  const registry = resolve(folder, read.registry ?? "registry.ts");
  if (!existsSync(registry)) {
    throw new UsageError(`${file}: there is no ${registry}. "registry" names the file that exports it.`);
  }
  return { folder, registry, config: read };
}

/**
 * Refuses settings that nothing reads, here as in a deployment.
 *
 * @param where  they are written, for the sentence
 * @throws UsageError with the nearest name of each
 */
export function refuseUnknown(settings: ProjectSettings = {}, where: string): void {
  const unknown = unknownSettings(Object.keys(settings));
  if (unknown.length > 0) throw new UsageError(`${where}: ${unknown.join("; ")}`);
}

async function load(file: string): Promise<{ readonly default?: unknown }> {
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    throw new UsageError(
      `${file} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/**
 * The settings of a stage.
 *
 * @throws UsageError when the config names stages, and not this one
 */
export function settingsOf({ config }: UserProject, stage: string): ProjectSettings {
  const { stages } = config;
  if (stages !== undefined && !Object.hasOwn(stages, stage) && stage !== "dev") {
    const some = ["dev", ...Object.keys(stages)].join(", ");
    throw new UsageError(`The config has no stage "${stage}". It has ${some}.`);
  }
  return { ...config.settings, ...stages?.[stage] };
}
