import { dirname, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { describeRegistry } from "../../shared/engine/define/describe-registry.ts";
import type { Registry } from "../../shared/engine/define/registry.ts";
import { registryProblems } from "../../shared/engine/define/registry-problems.ts";
import { DECLARED } from "../../shared/engine/tool/note-declaration.ts";
import type { RegistryManifest } from "../../shared/runtime/registry-manifest.ts";
import { whereThrown } from "../../shared/runtime/where-thrown.ts";
import { readSkills } from "../skills/read-skills.ts";
import { isPlatformVariable } from "./platform-variables.ts";

/** What the process that loads a registry reports, once. */
export type RegistryReport =
  | { readonly kind: "described"; readonly manifest: RegistryManifest }
  /** Each with the places in the user's own files, the innermost first. */
  | { readonly kind: "refused"; readonly problems: readonly Problem[] }
  /** It imports a package that is not there. */
  | { readonly kind: "missing"; readonly specifier: string; readonly reason: string };

export type Problem = { readonly text: string; readonly at: readonly string[] };

/** Calls that lead to a declaration may be deep in the user's own code. */
Error.stackTraceLimit = 50;

const [bundled = "", root = "", home = "", registryFile = ""] = process.argv.slice(2);

/** Shown are the user's own files, not the packages and not the platform's. */
const own = {
  ofSource: (source: string, file: string): string | undefined => {
    const path = resolve(dirname(file), source);
    const below = relative(home, path);
    const shown = below.startsWith("..") ? path : below;
    const isPackage = shown.split(sep).includes("node_modules");
    return isPackage || path.startsWith(resolve(root, "shared") + sep) ? undefined : shown;
  },
  ofFile: () => undefined,
};

const declaredAt = new WeakMap<object, readonly string[]>();
Reflect.set(globalThis, DECLARED, (declared: object) =>
  declaredAt.set(declared, whereThrown(new Error("declared here"), own).slice(0, 1)),
);

async function load(): Promise<RegistryReport> {
  try {
    const { registry }: { readonly registry?: Registry } = await import(pathToFileURL(bundled).href);
    return reportOn(registry);
  } catch (error) {
    return whyNotLoaded(error);
  }
}

const refusal = (text: string): RegistryReport => ({ kind: "refused", problems: [{ text, at: [] }] });

function reportOn(registry: Registry | undefined): RegistryReport {
  if (!registry?.agents || !registry.teams || !registry.workflows) {
    return refusal("it exports no `registry` with agents, teams and workflows");
  }
  for (const list of ["agents", "teams", "workflows"] as const) {
    const gap = registry[list].findIndex(
      (one: { readonly id?: string } | undefined) => one?.id === undefined,
    );
    if (gap >= 0)
      return refusal(
        `entry ${gap + 1} of ${list} is nothing that was declared; modules that import each other see each other too early`,
      );
  }
  const folder = dirname(registryFile);
  const found = readSkills(folder);
  const ofSkills = found.problems.map(({ file, line, text }) => ({
    text,
    at: [`${relative(home, resolve(folder, file))}${line === undefined ? "" : `:${line}`}`],
  }));
  const problems = registryProblems(registry, isPlatformVariable, found).map(({ text, about }) => ({
    text,
    at: about.flatMap((one) => declaredAt.get(one) ?? []),
  }));
  if (ofSkills.length + problems.length > 0) return { kind: "refused", problems: [...ofSkills, ...problems] };
  return { kind: "described", manifest: describeRegistry(registry) };
}

function whyNotLoaded(error: unknown): RegistryReport {
  const text =
    error instanceof Error ? `${error.name}: ${error.message}` : `something was thrown: ${inspect(error)}`;
  const specifier = /^Cannot find (?:package|module) '([^']+)' imported/.exec(
    error instanceof Error ? error.message : "",
  )?.[1];
  if (specifier !== undefined) return { kind: "missing", specifier, reason: text };
  return {
    kind: "refused",
    problems: [{ text: `the registry cannot be loaded: ${text}`, at: whereThrown(error, own) }],
  };
}

const report = await load();
// What the registry has left running, a timer or a connection, must not keep the build waiting.
process.send?.(report, () => process.exit(0));
