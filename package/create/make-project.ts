import { existsSync, readdirSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { CreateError } from "./create-error.ts";
import { manager } from "./install.ts";
import { neededPackages } from "./needed-packages.ts";

/** Where pnpm reads settings: at the top of a monorepo alone. */
export const PNPM_SETTINGS = "pnpm-workspace.yaml";

/** What a project begins with, by the name of its template. */
export const templates = {
  assistant: "an agent with a tool",
  "support-desk": "finds orders, asks before it refunds",
  "research-team": "a team that reads pages and writes",
  rag: "answers from a folder of documents",
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
const others = join(import.meta.dirname, "../templates");
/** What each template has of its own; everything else is common. */
const own = /^(agents|tools|test|scripts|documents)\/|^registry\.ts$/;
/** npm leaves out or reads files of these names when it packs, so they are stored under others. */
const storedAs: Readonly<Record<string, string>> = {
  "_package.json": "package.json",
  _gitignore: ".gitignore",
  "_env.example": ".env.example",
};
/**
 * Makes a project in a folder that is empty or not there.
 *
 * @throws CreateError when something is in the folder, or a pipeline is wanted with another manager than npm
 */
export async function makeProject(project: Project): Promise<void> {
  const target = resolve(project.folder);
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new CreateError(`${project.folder} is not empty. Name a folder that is not there yet.`);
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
  const text = await readFile(join(others, "ci", `${ci}.yml`), "utf8");
  return { path: ".github/workflows/deploy.yml", text };
}

/** The files of a template, filled in. */
export async function filesOf(
  { template, model, spec }: Pick<Project, "template" | "model" | "spec">,
  name: string,
): Promise<readonly TemplateFile[]> {
  const common = await filesIn(base);
  const files =
    template === "assistant"
      ? common
      : [...common.filter(({ path }) => !own.test(path)), ...(await filesIn(join(others, template)))];
  return [...files, ...ofManager()].map(({ path, text }) => ({
    path,
    text: fill(path, text.replaceAll("{{name}}", name).replaceAll("{{package}}", spec), model),
  }));
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
  if (path !== "package.json") return text;
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
