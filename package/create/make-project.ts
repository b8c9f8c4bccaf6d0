import { existsSync, readdirSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { CreateError } from "./create-error.ts";
import { manager } from "./install.ts";
import { neededPackages } from "./needed-packages.ts";

/** Where pnpm reads settings: at the top of a monorepo alone. */
export const PNPM_SETTINGS = "pnpm-workspace.yaml";
const MANIFEST = "package.json";

/** What a project begins with, by the name of its template. */
export const templates = {
  assistant: "an agent with a tool",
  "support-desk": "finds orders, asks before it refunds",
  "research-team": "a team that reads pages and writes",
  rag: "answers from a folder of documents",
  "morning-report": "reports on a schedule, to a webhook",
  "expense-claims": "a workflow with branches, and a person for large sums",
} as const;
export type TemplateName = keyof typeof templates;

export const isTemplate = (name: string): name is TemplateName => Object.hasOwn(templates, name);

/** Which service deploys the project from its repository: `github` is GitHub Actions. */
export const pipelines = ["github"] as const;
export type Pipeline = (typeof pipelines)[number];

export const isPipeline = (name: string): name is Pipeline => pipelines.some((one) => one === name);

export type Project = {
  readonly folder: string;
  readonly template: TemplateName;
  /** Of this machine, such as `scripted`. */
  readonly model: string;
  /** Which version of the platform the project depends on. */
  readonly spec: string;
  /** None when left out. */
  readonly ci?: Pipeline | undefined;
};

/** A file of a template: its path in the project, and its text. */
export type TemplateFile = { readonly path: string; readonly text: string };

const base = join(import.meta.dirname, "../template");
/** Each is a project that is also shown as an example. */
const examples = join(import.meta.dirname, "../../examples");
const pipelineFiles = join(import.meta.dirname, "../templates/ci");
/** What belongs to the assistant; all other files of the template are common, unless an example has its own. */
const ofAssistant = /^(agents|tools|test)\/|^registry\.ts$/;
/** npm leaves out or reads files of these names when it packs, so they are stored under others. */
const storedAs: Readonly<Record<string, string>> = {
  "_package.json": "package.json",
  _gitignore: ".gitignore",
  _env: ".env",
  "_env.example": ".env.example",
  "_env.test": ".env.test",
};

/** Why no project can be made in a folder. */
export const folderProblem = (folder: string): string | undefined =>
  existsSync(resolve(folder)) && readdirSync(resolve(folder)).length > 0
    ? `${folder} is not empty. Name a folder that is not there yet.`
    : undefined;

/**
 * Makes a project in a folder that is empty or not there.
 *
 * @throws CreateError when something is in the folder, or a pipeline is wanted with another manager than npm
 */
export async function makeProject(project: Project): Promise<void> {
  const target = resolve(project.folder);
  const problem = folderProblem(project.folder);
  if (problem !== undefined) throw new CreateError(problem);
  const pipeline = project.ci === undefined ? [] : [await pipelineOf(project.ci)];
  await writeFiles(target, [...(await filesOf(project, packageName(basename(target)))), ...pipeline]);
}

/**
 * What deploys the project from its repository.
 *
 * @throws CreateError with another manager than npm, whose commands the pipeline has
 */
export async function pipelineOf(ci: Pipeline, name: string = manager()): Promise<TemplateFile> {
  if (name !== "npm")
    throw new CreateError(
      `The pipeline installs with npm, not ${name}. Make the project with npm, or without --ci.`,
    );
  const text = await readFile(join(pipelineFiles, `${ci}.yml`), "utf8");
  return { path: ".github/workflows/deploy.yml", text };
}

/** The files of a template, filled in. */
export async function filesOf(
  { template, model, spec }: Pick<Project, "template" | "model" | "spec">,
  name: string,
): Promise<readonly TemplateFile[]> {
  const common = await filesIn(base);
  const files = template === "assistant" ? common : over(common, await filesIn(join(examples, template)));
  return [...files, ...ofManager()].map(({ path, text }) => ({
    path,
    text: fill(path, text.replaceAll("{{name}}", name).replaceAll("{{package}}", spec), model),
  }));
}

/** The files of an example over the common ones; its `package.json` says alone which packages it needs beside theirs. */
function over(common: readonly TemplateFile[], own: readonly TemplateFile[]): readonly TemplateFile[] {
  const replaced = new Set(own.map(({ path }) => path));
  const needed = JSON.parse(own.find(({ path }) => path === MANIFEST)?.text ?? "{}").dependencies;
  return [
    ...common
      .filter(({ path }) => path === MANIFEST || !(ofAssistant.test(path) || replaced.has(path)))
      .map(({ path, text }) => ({ path, text: path === MANIFEST ? withPackages(text, needed) : text })),
    ...own.filter(({ path }) => path !== MANIFEST),
  ];
}

function withPackages(text: string, needed: Readonly<Record<string, string>> = {}): string {
  const manifest = JSON.parse(text);
  const dependencies = Object.entries({ ...manifest.dependencies, ...needed }).toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return JSON.stringify({ ...manifest, dependencies: Object.fromEntries(dependencies) });
}

/**
 * Functions are bundled from the project's folder, where not every manager puts the packages of packages. pnpm also fails with scripts
 * of packages that its settings do not name: esbuild works without its own. The last line is for pnpm 10.
 */
const PNPM = `nodeLinker: hoisted
allowBuilds:
  esbuild: false
ignoredBuiltDependencies: [esbuild]
`;

export function ofManager(name: string = manager()): readonly TemplateFile[] {
  if (name === "pnpm") return [{ path: PNPM_SETTINGS, text: PNPM }];
  return name === "yarn" ? [{ path: ".yarnrc.yml", text: "nodeLinker: node-modules\n" }] : [];
}

function fill(path: string, text: string, model: string): string {
  if (path === "agent-platform.config.ts" && model !== "scripted")
    return text.replace("local: {},", `local: { model: ${JSON.stringify(model)} },`);
  if (path !== MANIFEST) return text;
  const manifest = JSON.parse(text);
  for (const [field, packages] of Object.entries(neededPackages()))
    manifest[field] = { ...manifest[field], ...packages };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Folder by folder: where yarn keeps packages in archives, Node's way to read all at once does not say where a file is. */
async function filesIn(folder: string, below = ""): Promise<TemplateFile[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  const found = entries.map(async (entry) => {
    const { name } = entry;
    if (entry.isDirectory()) return filesIn(folder, `${below}${name}/`);
    const text = await readFile(join(folder, below, name), "utf8");
    return [{ path: `${below}${storedAs[name] ?? name}`, text }];
  });
  return (await Promise.all(found)).flat();
}

export async function writeFiles(target: string, files: readonly TemplateFile[]): Promise<void> {
  for (const { path, text } of files) {
    await mkdir(dirname(join(target, path)), { recursive: true });
    await writeFile(join(target, path), text);
  }
}

/** @source npm, "package.json": lower case, without a dot or an underscore at the beginning */
const packageName = (folder: string): string =>
  folder
    .toLowerCase()
    .replace(/[^a-z0-9-._~]+/g, "-")
    .replace(/^[-._]+/, "") || "my-agents";
