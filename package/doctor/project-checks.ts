import { createConnection } from "node:net";
import { ensureBuilt } from "../../build/bundles/index.ts";
import { projectOf, readManifest } from "../../build/index.ts";
import { requireModelKey } from "../../local/template/check-environment.ts";
import { withEnvFiles } from "../../local/template/tool-secrets.ts";
import { neededSecrets } from "../../shared/runtime/registry-manifest.ts";
import { localEnvironment } from "../config/local-environment.ts";
import type { UserProject } from "../config/read-project.ts";
import { type Check, Problem } from "./check.ts";
import { type Source, settingSources, sourceLine } from "./setting-sources.ts";

const manifestOf = ({ registry }: UserProject) => readManifest(projectOf({ registry }).dist);

const environmentIn = ({ config, registry }: UserProject) =>
  withEnvFiles({ ...localEnvironment(config), ...process.env }, projectOf({ registry }).home);

/** Where the project's settings and secrets come from. @param stage  whose mapped secrets are shown; none of this machine's */
export function sourcesOf(project: UserProject, stage: string | undefined): readonly Source[] {
  const { config, registry } = project;
  const { toolSecrets } = { ...config.settings, ...(stage === undefined ? {} : config.stages?.[stage]) };
  const mapped = Object.entries(typeof toolSecrets === "object" ? toolSecrets : {}).map(
    ([name, place]) => [name, typeof place === "string" ? place : place.secret] as const,
  );
  return settingSources({
    config,
    environment: process.env,
    folder: projectOf({ registry }).home,
    secrets: [...neededSecrets(manifestOf(project)?.needs ?? []).keys()],
    mapped: Object.fromEntries(mapped),
  });
}

export const projectChecks: readonly Check<UserProject>[] = [
  {
    name: "registry",
    asks: "Whether the project's code can be built, and what it declares.",
    fails: "It does not compile, or declares something that is refused.",
    remedy: "The message names the file and the line.",
    isRequired: true,
    look: async (project) => {
      await ensureBuilt({ registry: project.registry, linked: true });
      const { agents = [], teams = [], workflows = [] } = manifestOf(project) ?? {};
      return [...agents, ...teams, ...workflows].join(", ") || "nothing is declared";
    },
  },
  {
    name: "model here",
    asks: "Whether the model of this machine has its key.",
    fails: "`dev` does not start.",
    remedy: "Set the key in the environment, .env.local or .env.",
    isRequired: true,
    look: (project) => {
      const environment = environmentIn(project);
      requireModelKey(environment);
      return environment.MODEL || "scripted";
    },
  },
  {
    name: "secrets of tools here",
    asks: "Whether every secret that a tool declares is set on this machine.",
    fails: "`dev` does not start.",
    remedy: "Set them in the environment, .env.local or .env.",
    isRequired: true,
    look: async (project) => {
      await ensureBuilt({ registry: project.registry, linked: true });
      const environment = environmentIn(project);
      const names = [...neededSecrets(manifestOf(project)?.needs ?? []).keys()];
      const missing = names.filter((name) => !environment[name]);
      if (missing.length > 0) throw new Problem(`${missing.join(", ")} not set`);
      return names.join(", ") || "none are declared";
    },
  },
  {
    name: "sources",
    asks: "Where each setting, key and secret comes from: the environment, `.env.local`, `.env`, the config, Secrets Manager (deployed only). The first that has it counts; values are never shown.",
    fails: "It does not fail.",
    remedy: "–",
    isRequired: false,
    look: (project) =>
      sourcesOf(project, undefined).map(sourceLine).join("; ") || "everything is at its default",
  },
];

/** Whether something listens on a port of this machine. */
export const isTaken = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ host: "127.0.0.1", port })
      .once("connect", () => {
        socket.destroy();
        resolve(true);
      })
      .once("error", () => resolve(false));
  });
