import { hash } from "node:crypto";
import { copyFile, cp, link, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { Project } from "../project/project.ts";
import type { BuildRecord } from "./build-record.ts";
import { bundleOpen, updateFile } from "./bundle-function.ts";
import { CORE_ENTRY } from "./parts.ts";
import { pathFrom } from "./path-from.ts";

/**
 * Where a package keeps the files of its bundles, in the folder of the bundles: each once, by a digest of its content. Functions have
 * many files in common.
 */
const STORE = "files";

/**
 * Puts a bundle's files into the store of a package.
 *
 * @param files  by name in the function's folder
 * @returns the part of the bundle's record that says where they are
 */
export async function storeFiles(
  { root, dist }: Project,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<Required<Pick<BuildRecord, "stored" | "outputs">>> {
  const stored: Record<string, string> = {};
  const outputs: Record<string, number> = {};
  await mkdir(join(dist, STORE), { recursive: true });
  for (const [name, contents] of files) {
    const kept = join(dist, STORE, hash("sha256", contents).slice(0, 20));
    await writeFile(kept, contents);
    stored[name] = pathFrom(root, kept);
    outputs[pathFrom(root, kept)] = contents.byteLength;
  }
  return { stored, outputs };
}

/**
 * Bundles functions without a project's own part into a package, with a record beside each; see `parts.ts`.
 *
 * @param recipe  of the package
 * @throws esbuild's `BuildFailure` when the code cannot be bundled
 */
export async function lendOpen(
  names: readonly string[],
  { root, lent, recipe }: { readonly root: string; readonly lent: Project; readonly recipe: string },
): Promise<void> {
  const outdir = join(root, "dist");
  const { outputFiles } = await bundleOpen(names, { root, outdir, minify: true, packages: "bundle" });
  const all = new Map(
    outputFiles
      .filter(({ path }) => !path.endsWith(".map"))
      .map(({ path, contents }) => [relative(outdir, path), contents] as const),
  );
  for (const name of names) {
    const own = [...all.keys()].filter((file) => file.startsWith(`${name}.`));
    const files = new Map(
      [...withImported([...own, `${CORE_ENTRY}.mjs`], all)].map(([file, contents]) => [
        own.includes(file) ? file.slice(name.length + 1) : file,
        contents,
      ]),
    );
    const { stored, outputs } = await storeFiles(lent, files);
    const atStart = Object.values(outputs).reduce((sum, bytes) => sum + bytes, 0);
    const size = { atStart, lazy: 0 };
    const record: BuildRecord = { minify: true, form: "open", recipe, inputs: {}, stored, outputs, size };
    await writeFile(join(lent.dist, `${name}.built.json`), JSON.stringify(record));
  }
}

/** Files with those that they import, now or later: all of these carry a digest in their name. */
function withImported(
  entries: readonly string[],
  all: ReadonlyMap<string, Uint8Array>,
): ReadonlyMap<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  const add = (file: string): void => {
    const contents = all.get(file);
    if (contents === undefined || found.has(file)) return;
    found.set(file, contents);
    for (const [named] of Buffer.from(contents)
      .toString()
      .matchAll(/[\w.-]+-[A-Z0-9]{8}\.mjs/g))
      add(named);
  };
  entries.forEach(add);
  return found;
}

/** Empties a folder, or makes it. It is never away: a platform that starts looks for the folders of all functions. */
export async function emptied(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await Promise.all(
    (await readdir(folder)).map((name) => rm(join(folder, name), { recursive: true, force: true })),
  );
}

/**
 * Puts the files of a lent bundle into a folder. What a running function may load there is replaced as a whole.
 *
 * @param except  names of files that are left out
 * @returns bytes of each file, by path from the top of the project
 */
export async function takeFiles(
  { root, dist }: Project,
  name: string,
  { stored, outputs }: BuildRecord,
  to: string,
  except: readonly string[] = [],
): Promise<Record<string, number>> {
  const from = join(dist, name);
  if (stored === undefined) {
    await cp(from, to, { recursive: true });
    const moved = Object.entries(outputs).map(([path, bytes]) => [
      pathFrom(root, join(to, relative(from, join(root, path)))),
      bytes,
    ]);
    return Object.fromEntries(moved);
  }
  const wanted = Object.entries(stored).filter(([file]) => !except.includes(file));
  const folders = new Set(wanted.map(([file]) => dirname(join(to, file))));
  await Promise.all([...folders].map((folder) => mkdir(folder, { recursive: true })));
  await Promise.all(wanted.map(([file, kept]) => take(join(root, kept), join(to, file))));
  return Object.fromEntries(
    wanted.map(([file, kept]) => [pathFrom(root, join(to, file)), outputs[kept] ?? 0]),
  );
}

/** Links a file, since nothing writes into one that is there; copies it to another file system, or to one without links. */
async function take(from: string, to: string): Promise<void> {
  const there = await stat(to).catch(() => undefined);
  if (there?.ino === (await stat(from)).ino) return;
  if (there) return updateFile(to, await readFile(from));
  await link(from, to).catch(() => copyFile(from, to));
}
