import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Metafile } from "esbuild";
import { compileCache } from "../../local/cache-folders.ts";
import { emptyManifest, type RegistryManifest } from "../../shared/runtime/registry-manifest.ts";
import { type BuildRecord, buildRecord, isCurrent, isWhole, readRecord } from "../bundles/build-record.ts";
import { type Bundle, bundleRegistry, updateFile, writeBundle } from "../bundles/bundle-function.ts";
import type { SourceState } from "../bundles/source-state.ts";
import type { Project } from "../project/project.ts";
import { manifestFile, readManifest } from "../project/read-manifest.ts";
import { RegistryError } from "./registry-error.ts";
import type { Problem, RegistryReport } from "./registry-process.ts";

/** A registry only declares; longer takes what waits for something that does not come. */
const LOADED_WITHIN_MS = 30_000;

/** What decides over a description in addition to the registry and what it imports: what describes it, and what it may not be. */
const describing = [
  "shared/engine/define/describe-registry.ts",
  "shared/engine/define/registry.ts",
  "shared/engine/define/registry-problems.ts",
  "build/skills/read-skills.ts",
  "shared/engine/skill/parse-skill.ts",
  "shared/engine/skill/strict-yaml.ts",
];

/** Folders with the variables of the platform, after which no secret of a tool may be named. */
const ofVariables = ["shared/settings", "shared/settings/rows"];

/** What the description of a registry leaves in the folder of the bundles. */
export const descriptionFiles = ["registry", "registry.built.json", "registry.json"];

/** What a project's registry declares, as it was described last; undefined when its sources have changed since. */
export function currentManifest(
  project: Project,
  now: SourceState,
  folder = project.dist,
): RegistryManifest | undefined {
  if (!existsSync(project.registry)) return emptyManifest;
  const record = readRecord(join(folder, "registry.built.json"));
  const isFresh = record !== undefined && isCurrent(record, now) && isWhole(project.root, record);
  return isFresh ? readManifest(folder) : undefined;
}

/**
 * Loads a registry once, in a process of its own, and writes what it declares. The process has no variables but those by
 * which programs are found: what a registry declares is the same on every machine and stage.
 *
 * @param before  the sources before it is loaded: what was saved meanwhile makes the description stale
 * @param folder  takes the description; packages must be found from there
 * @throws RegistryError with the places in the user's files when it cannot be loaded, or is refused; esbuild's
 *         `BuildFailure` when it cannot be bundled
 */
export async function describeRegistry(
  project: Project,
  before: SourceState,
  folder = project.dist,
): Promise<RegistryManifest> {
  const outdir = join(folder, "registry");
  const bundle = await bundleRegistry({ ...project, outdir, minify: false, packages: "external" });
  const recordFile = join(folder, "registry.built.json");
  await rm(recordFile, { force: true });
  await writeBundle(outdir, bundle, true);
  const report = await load(join(outdir, "index.mjs"), project);
  if (report.kind !== "described") throw new RegistryError(sentence(report, project, bundle.metafile));
  await updateFile(manifestFile(folder), Buffer.from(JSON.stringify(report.manifest)));
  await updateFile(recordFile, Buffer.from(JSON.stringify(recordOf(bundle, project, before))));
  return report.manifest;
}

function recordOf(bundle: Bundle, { root }: Project, before: SourceState): BuildRecord {
  const record = buildRecord(bundle, before, false);
  const settings = ofVariables
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => `${folder}/${name}`),
    );
  const more = [...describing.filter((path) => existsSync(join(root, path))), ...settings];
  return {
    ...record,
    inputs: { ...record.inputs, ...Object.fromEntries(more.map((path) => [path, before.digestOf(path)])) },
  };
}

/** What programs find their way on the machine with; the last are those of Windows. The registry is given nothing else. */
const MACHINE_VARIABLES = [
  "PATH",
  "HOME",
  "TMPDIR",
  "USERPROFILE",
  "APPDATA",
  "LOCALAPPDATA",
  "TEMP",
  "SystemRoot",
];

async function load(bundled: string, { root, home, registry }: Project): Promise<RegistryReport> {
  const given = MACHINE_VARIABLES.map((name) => [name, process.env[name]]);
  const env = Object.fromEntries(
    [...given, ["NODE_COMPILE_CACHE", compileCache]].filter(([, value]) => value !== undefined),
  );
  const child = fork(new URL("./registry-process.ts", import.meta.url), [bundled, root, home, registry], {
    cwd: home,
    env,
    execArgv: [],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    timeout: LOADED_WITHIN_MS,
    killSignal: "SIGKILL",
  });
  let report: RegistryReport | undefined;
  let written = "";
  child.on("message", (message: RegistryReport) => {
    report = message;
  });
  child.stderr?.on("data", (chunk) => {
    written += chunk;
  });
  const [code, signal] = await once(child, "close");
  return report ?? refusal(endOf(code, signal, written));
}

const refusal = (text: string): RegistryReport => ({ kind: "refused", problems: [{ text, at: [] }] });

/** Why a process has ended without a report. @source Node.js, "Exit codes": 13 is a top-level await that never settles */
function endOf(code: number | null, signal: string | null, written: string): string {
  const seconds = LOADED_WITHIN_MS / 1000;
  if (signal === "SIGKILL")
    return `it was not loaded within ${seconds} seconds: something in it waits, or repeats, for ever`;
  if (code === 13) return "it waits at its top level for something that never comes (await)";
  return `it ended the process that loaded it (${signal ?? `code ${code}`})${written && `: ${written.trim()}`}`;
}

function sentence(
  report: Exclude<RegistryReport, { kind: "described" }>,
  { root, home, registry }: Project,
  metafile: Metafile,
): string {
  if (report.kind === "refused") {
    return report.problems.map((problem) => problemText(problem, relative(home, registry))).join("\n");
  }
  const importer = importersOf(report.specifier, metafile)[0];
  if (importer === undefined) return problemText({ text: report.reason, at: [] }, relative(home, registry));
  const file = join(root, importer);
  // A package lies within the project; a project of this repository within the platform.
  const isProjects = isWithin(home, file) && isWithin(root, home);
  if (isWithin(root, file) && !isProjects) return unhoisted(report.specifier);
  return `${relative(home, file)}:${lineOf(file, report.specifier)}: the package ${report.specifier} is not installed`;
}

const isWithin = (folder: string, path: string): boolean => !relative(folder, path).startsWith("..");

/** Of the platform's own packages, which bundles import from the project's folder: some managers keep them out of there. */
export const unhoisted = (specifier: string): string =>
  `the platform's package ${specifier} is not found from the project. With pnpm put nodeLinker: hoisted into pnpm-workspace.yaml, with yarn nodeLinker: node-modules into .yarnrc.yml, and install again.`;

/** The first place stands before the sentence; all follow it where there are several. */
const problemText = ({ text, at }: Problem, registry: string): string =>
  [`${at[0] ?? registry}: ${text}`, ...(at.length > 1 ? at.map((place) => `    at ${place}`) : [])].join(
    "\n",
  );

const importersOf = (specifier: string, { inputs }: Metafile): string[] =>
  Object.entries(inputs).flatMap(([path, { imports }]) =>
    imports.some((one) => one.external && (one.path === specifier || one.path.startsWith(`${specifier}/`)))
      ? [path]
      : [],
  );

function lineOf(file: string, specifier: string): number {
  const lines = readFileSync(file, "utf8").split("\n");
  const found = lines.findIndex((line) => line.includes(`"${specifier}`) || line.includes(`'${specifier}`));
  return found + 1;
}
