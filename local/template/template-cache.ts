import { createHash, hash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { templateCache } from "../cache-folders.ts";
import { isMissing } from "../machine/is-missing.ts";
import { replaceFile } from "../machine/whole-file.ts";
import type { Stack } from "./stack.ts";

const project = join(import.meta.dirname, "../..");
/** The test suite asks for some forty; each has 340 KB. */
const kept = 80;

/** What the templates are made from, in addition to the context. */
const sourcePaths = ["bin", "lib", "shared", "cdk.json", "package-lock.json"];

/** Templates that a package brings: those of a project that sets nothing and whose tools need nothing. */
export const broughtTemplates = join(import.meta.dirname, "brought");

type CacheOptions = {
  /** Top of the project; this one when absent. */
  readonly root?: string;
  readonly folder?: string;
  /** Folder with templates that were made elsewhere, from the same sources. */
  readonly brought?: string;
  /** Gives the digest of the sources; read from the disk each time when absent. */
  readonly sources?: () => Promise<string>;
};

/**
 * Synthesizes only what was not synthesized before: the CDK takes 1.2 to 2 s of a processor, reading its last result
 * 10 ms. The key is a digest of the context and of every source, so a change is never missed. Nothing in it or in the templates may
 * be of one machine.
 */
export async function cachedSynthesis(
  context: Readonly<Record<string, unknown>>,
  synthesize: () => Promise<readonly Stack[]>,
  options: CacheOptions = {},
): Promise<readonly Stack[]> {
  const { root = project, folder = templateCache, brought = broughtTemplates } = options;
  const { sources = () => sourcesDigest(root) } = options;
  const digest = async () => digestOf(context, await sources());
  const before = await digest();
  const file = join(folder, `${before}.json`);
  const read = (path: string) => readFile(path, "utf8").catch(() => undefined);
  const found = (await read(file)) ?? (await read(join(brought, `${before}.json`)));
  if (found !== undefined) return JSON.parse(found);
  const stacks = await synthesize();
  // What was saved meanwhile may be in these templates or not.
  if ((await digest()) !== before) return stacks;
  await mkdir(folder, { recursive: true });
  await replaceFile(file, JSON.stringify(stacks));
  await forgetOld(folder);
  return stacks;
}

const digestOf = (context: Readonly<Record<string, unknown>>, ofSources: string): string =>
  hash("sha256", JSON.stringify([context, ofSources])).slice(0, 32);

/** Digest of everything that the templates are made from, in addition to the context. */
export async function sourcesDigest(root: string = project): Promise<string> {
  const all = createHash("sha256");
  for (const path of (await Promise.all(sourcePaths.map((path) => filesIn(join(root, path))))).flat()) {
    all.update(relative(root, path).split(sep).join("/")).update((await unlessMissing(readFile(path))) ?? "");
  }
  return all.digest("hex");
}

async function filesIn(path: string): Promise<string[]> {
  const info = await unlessMissing(stat(path));
  if (!info) return [];
  if (!info.isDirectory()) return [path];
  const names = ((await unlessMissing(readdir(path))) ?? []).sort();
  return (await Promise.all(names.map((name) => filesIn(join(path, name))))).flat();
}

/** Editors and checkouts remove and replace files while they are read. */
async function unlessMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function forgetOld(folder: string): Promise<void> {
  const files = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const path = join(folder, name);
      return { path, changedMs: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
    }),
  );
  const old = files.sort((a, b) => b.changedMs - a.changedMs).slice(kept);
  await Promise.all(old.map(({ path }) => rm(path, { force: true, recursive: true })));
}
