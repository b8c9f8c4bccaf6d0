import { hash } from "node:crypto";
import { copyFile, cp, link, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import type { Project } from "../project/project.ts";
import type { BuildRecord } from "./build-record.ts";
import { updateFile } from "./bundle-function.ts";

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

const pathFrom = (root: string, file: string): string => relative(root, file).split(sep).join("/");
