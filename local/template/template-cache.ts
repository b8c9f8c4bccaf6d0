import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { templateCache } from "../cache-folders.ts";
import { isMissing } from "../machine/is-missing.ts";
import { replaceFile } from "../machine/whole-file.ts";
import type { Stack } from "./stack.ts";

const project = join(import.meta.dirname, "../..");
const kept = 20;

/** What the templates are made from, besides the context. */
const sources = ["bin", "lib", "shared", "cdk.json", "package-lock.json"];

type CachePlaces = {
  /** Top of the project; this one when absent. */
  readonly root?: string;
  readonly folder?: string;
};

/**
 * Synthesizes only what was not synthesized before: the CDK takes 1.2 to 2 s of a processor, reading its last result
 * 10 ms. The key is a digest of the context and of every source, so a change is never missed.
 */
export async function cachedSynthesis(
  context: Readonly<Record<string, unknown>>,
  synthesize: () => Promise<readonly Stack[]>,
  { root = project, folder = templateCache }: CachePlaces = {},
): Promise<readonly Stack[]> {
  const before = await digest(root, context);
  const file = join(folder, `${before}.json`);
  const found = await readFile(file, "utf8").catch(() => undefined);
  if (found !== undefined) return JSON.parse(found);
  const stacks = await synthesize();
  // What was saved meanwhile may be in these templates or not.
  if ((await digest(root, context)) !== before) return stacks;
  await mkdir(folder, { recursive: true });
  await replaceFile(file, JSON.stringify(stacks));
  await forgetOld(folder);
  return stacks;
}

async function digest(root: string, context: Readonly<Record<string, unknown>>): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify([root, context]));
  for (const path of (await Promise.all(sources.map((source) => filesIn(join(root, source))))).flat()) {
    hash.update(path).update((await unlessMissing(readFile(path))) ?? "");
  }
  return hash.digest("hex").slice(0, 32);
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
