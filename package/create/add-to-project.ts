import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { CreateError } from "./create-error.ts";
import { filesOf, PNPM_SETTINGS, type Project, type TemplateFile, writeFiles } from "./make-project.ts";

const CODE = "agent-platform";
const CONFIG = "agent-platform.config.ts";
/** Files at the top of the project; all others go into `agent-platform/`, where they are in the way of nothing. */
const atTop = new Set([
  CONFIG,
  "cdk.json",
  ".env",
  ".env.example",
  ".env.test",
  PNPM_SETTINGS,
  ".yarnrc.yml",
]);
/** The project has its own. */
const left = new Set(["package.json", ".gitignore", "README.md", "AGENTS.md", "tsconfig.json"]);

/**
 * Adds agents to a project that is there already, also to a package of a monorepo: files that are there are not touched, but
 * for what `package.json` and `.gitignore` lack.
 *
 * @throws CreateError where there is no `package.json`, or agents are there already
 */
export async function addToProject(project: Project): Promise<void> {
  const target = resolve(project.folder);
  const manifestFile = join(target, "package.json");
  if (!existsSync(manifestFile))
    throw new CreateError(`There is no package.json in ${target}: make a project instead.`);
  if ([CONFIG, CONFIG.replace(/ts$/, "mjs"), CODE].some((path) => existsSync(join(target, path))))
    throw new CreateError(`There are agents here already: ${CONFIG} or ${CODE}/ is there.`);
  const manifest = JSON.parse(await readFile(manifestFile, "utf8"));
  const files = await filesOf(project, manifest.name ?? "my-agents");
  const added = files.filter(({ path }) => !left.has(path)).flatMap((file) => placed(file, target));
  await writeFiles(target, manifest.type === "module" ? added : besideCommonJs(added));
  const template = JSON.parse(textOf(files, "package.json"));
  await writeFile(manifestFile, `${JSON.stringify(withAgents(manifest, template), null, 2)}\n`);
  await addLines(join(target, ".gitignore"), textOf(files, ".gitignore").trimEnd().split("\n"));
  const settings = textOf(files, PNPM_SETTINGS);
  const workspace = settings === "" ? undefined : workspaceAbove(target);
  if (workspace !== undefined && !(await readFile(workspace, "utf8")).includes("nodeLinker: hoisted"))
    console.log(`Functions are bundled from this folder. Put these lines into ${workspace}:\n\n${settings}`);
}

/** The settings of the pnpm monorepo that a folder is in, or its own; undefined where there are none. */
function workspaceAbove(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, PNPM_SETTINGS))) return join(at, PNPM_SETTINGS);
    if (at === dirname(at)) return undefined;
  }
}

const textOf = (files: readonly TemplateFile[], wanted: string): string =>
  files.find(({ path }) => path === wanted)?.text ?? "";

function placed({ path, text }: TemplateFile, target: string): TemplateFile[] {
  if (!atTop.has(path)) return [{ path: `${CODE}/${path}`, text }];
  if (existsSync(join(target, path))) return [];
  if (path === PNPM_SETTINGS && workspaceAbove(target) !== undefined) return [];
  return [{ path, text: text.replace('"./registry.ts"', `"./${CODE}/registry.ts"`) }];
}

/** The code is of modules, whatever the project's own is: where its `package.json` does not say so, names and one of their own do. */
const besideCommonJs = (files: readonly TemplateFile[]): TemplateFile[] => [
  ...files.map(({ path, text }) => ({ path: path === CONFIG ? CONFIG.replace(/ts$/, "mjs") : path, text })),
  { path: `${CODE}/package.json`, text: '{ "type": "module" }\n' },
];

type Manifest = Readonly<
  Record<
    "scripts" | "dependencies" | "devDependencies" | "optionalDependencies",
    Record<string, string> | undefined
  >
>;

/** What the project has already stays as it is. */
function withAgents(manifest: Manifest, template: Manifest): object {
  const scripts = {
    agents: "agent-platform dev",
    "agents:test": `node --test ${CODE}/test/*.test.ts`,
    "agents:deploy": "agent-platform deploy",
  };
  return {
    ...manifest,
    scripts: { ...scripts, ...manifest.scripts },
    dependencies: { ...template.dependencies, ...manifest.dependencies },
    devDependencies: { ...template.devDependencies, ...manifest.devDependencies },
    ...(template.optionalDependencies && {
      optionalDependencies: { ...template.optionalDependencies, ...manifest.optionalDependencies },
    }),
  };
}

async function addLines(file: string, lines: readonly string[]): Promise<void> {
  const before = existsSync(file) ? await readFile(file, "utf8") : "";
  const known = before.split("\n");
  const missing = lines.filter((line) => !known.includes(line));
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  if (missing.length > 0) await writeFile(file, `${before}${gap}${missing.join("\n")}\n`);
}
