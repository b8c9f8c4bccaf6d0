import { existsSync, readdirSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { build as esbuild, type Metafile } from "esbuild";
import { table } from "./table.ts";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");
const stamp = join(dist, ".built");

/** What is bundled, and what decides how. A change in any of these makes the bundles stale. */
const sources = ["functions", "shared", "registry", "package.json", "package-lock.json", "scripts/build.ts"];

/** Functions that are bundled at once: each holds the code of its packages in memory. */
const LANES = 4;

/** The bundler is over in seconds; collecting its garbage as often as a server would takes a fifth of them. */
process.env.GOGC ??= "400";

/** Bytes of a function's code: what it reads to start, and what it reads only when it needs it. */
export type BundleSize = { readonly atStart: number; readonly lazy: number };
export type Built = { readonly seconds: number; readonly sizes: Readonly<Record<string, BundleSize>> };

/** Names of the folders in `functions/` that are deployed. */
export function functionNames(): string[] {
  const folders = readdirSync(join(root, "functions"), { withFileTypes: true });
  return folders
    .filter((entry) => entry.isDirectory() && existsSync(join(root, "functions", entry.name, "index.ts")))
    .map(({ name }) => name)
    .sort();
}

/**
 * Bundles every function into `dist/<function>/index.mjs` and the chunks that it loads later.
 *
 * Safe to run while functions of an earlier build are executing: a file is replaced in one step, and only when its
 * content differs.
 */
export async function build({ minify = true } = {}): Promise<Built> {
  const startedAt = performance.now();
  const began = new Date();
  const names = functionNames();
  const sizes: Record<string, BundleSize> = {};
  const waiting = [...names];
  const lane = async () => {
    for (let name = waiting.shift(); name; name = waiting.shift()) sizes[name] = await bundle(name, minify);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  await removeForeign(dist, new Set(names.flatMap((name) => [name, `${name}.meta.json`])));
  await writeFile(stamp, "");
  // Sources that were saved during the build count as newer than it.
  await utimes(stamp, began, began);
  return {
    seconds: (performance.now() - startedAt) / 1000,
    sizes: Object.fromEntries(Object.entries(sizes).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Whether the bundles are as new as everything they are made of. */
export async function isFresh(): Promise<boolean> {
  const built = await stat(stamp).catch(() => undefined);
  if (!built || !functionNames().every((name) => existsSync(join(dist, name, "index.mjs")))) return false;
  const newest = await Promise.all(sources.map((path) => newestChange(join(root, path))));
  return Math.max(...newest) < built.mtimeMs;
}

/** Bundles what is not bundled yet. */
export async function ensureBuilt(): Promise<void> {
  if (!(await isFresh())) await build();
}

async function bundle(name: string, minify: boolean): Promise<BundleSize> {
  const outdir = join(dist, name);
  const { outputFiles, metafile } = await esbuild({
    absWorkingDir: root,
    entryPoints: [{ in: `functions/${name}/index.ts`, out: "index" }],
    outdir,
    outExtension: { ".js": ".mjs" },
    chunkNames: "[name]-[hash]",
    bundle: true,
    write: false,
    metafile: true,
    minify,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    // ES modules first: a third less code than with the CommonJS builds of the same packages.
    mainFields: ["module", "main"],
    sourcemap: "linked",
    legalComments: "none",
    // Some packages are CommonJS and call require for Node's own modules.
    banner: { js: 'import{createRequire}from"node:module";const require=createRequire(import.meta.url);' },
    logLevel: "error",
  });
  await mkdir(outdir, { recursive: true });
  await Promise.all(outputFiles.map(({ path, contents }) => replace(path, contents)));
  await replace(join(dist, `${name}.meta.json`), Buffer.from(JSON.stringify(metafile)));
  await removeForeign(outdir, new Set(outputFiles.map(({ path }) => relative(outdir, path))));
  return sizeOf(metafile);
}

async function replace(path: string, contents: Uint8Array): Promise<void> {
  const present = await readFile(path).catch(() => undefined);
  if (present?.equals(contents)) return;
  const fresh = `${path}.${process.pid}`;
  await writeFile(fresh, contents);
  await rename(fresh, path);
}

async function removeForeign(folder: string, wanted: ReadonlySet<string>): Promise<void> {
  const foreign = (await readdir(folder)).filter((name) => !wanted.has(name) && !isHalfWritten(name));
  await Promise.all(foreign.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

/** A file that another build, running beside this one, is about to rename. */
const isHalfWritten = (name: string): boolean => /\.(mjs|map|json)\.\d+$/.test(name);

function sizeOf({ outputs }: Metafile): BundleSize {
  const code = Object.entries(outputs).filter(([path]) => path.endsWith(".mjs"));
  const entry = code.find(([, { entryPoint }]) => entryPoint?.endsWith("/index.ts"))?.[0];
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const { path: next, kind } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement" && next in outputs) load(next);
    }
  };
  if (entry) load(entry);
  const bytes = (wanted: boolean) =>
    code.reduce((sum, [path, output]) => (loaded.has(path) === wanted ? sum + output.bytes : sum), 0);
  return { atStart: bytes(true), lazy: bytes(false) };
}

/** Time of the latest change in a file or folder, in epoch milliseconds. A removal changes its folder. */
async function newestChange(path: string): Promise<number> {
  const info = await stat(path).catch(() => undefined);
  if (!info?.isDirectory()) return info?.mtimeMs ?? 0;
  const inside = await Promise.all((await readdir(path)).map((name) => newestChange(join(path, name))));
  return Math.max(info.mtimeMs, ...inside);
}

if (import.meta.main) {
  const { seconds, sizes } = await build({ minify: !process.argv.includes("--no-minify") });
  const kb = (bytes: number) => (bytes / 1000).toFixed(0);
  const rows = Object.entries(sizes).map(([name, { atStart, lazy }]) => [name, kb(atStart), kb(lazy)]);
  console.log(table(["function", "KB at start", "KB on demand"], rows));
  console.log(`built in ${seconds.toFixed(2)} s`);
}
