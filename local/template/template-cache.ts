import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { templateCache } from "../cache-folders.ts";
import type { Stack } from "./stack.ts";

const root = join(import.meta.dirname, "../..");
const kept = 20;

/** What the templates are made from, besides the context. */
const sources = ["bin", "lib", "shared", "cdk.json", "package-lock.json"];

/**
 * Synthesizes only what was not synthesized before: the CDK takes 1.2 to 2 s of a processor, reading its last result
 * 10 ms. The key is a digest of the context and of every source, so a change is never missed.
 */
export async function cachedSynthesis(
  context: Readonly<Record<string, unknown>>,
  synthesize: () => Promise<readonly Stack[]>,
): Promise<readonly Stack[]> {
  const file = join(templateCache, `${await digest(context)}.json`);
  const found = await readFile(file, "utf8").catch(() => undefined);
  if (found !== undefined) return JSON.parse(found);
  const stacks = await synthesize();
  await mkdir(templateCache, { recursive: true });
  const fresh = `${file}.${process.pid}`;
  await writeFile(fresh, JSON.stringify(stacks));
  await rename(fresh, file);
  await forgetOld();
  return stacks;
}

async function digest(context: Readonly<Record<string, unknown>>): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify([root, context]));
  for (const path of (await Promise.all(sources.map((source) => filesIn(join(root, source))))).flat()) {
    hash.update(path).update(await readFile(path));
  }
  return hash.digest("hex").slice(0, 32);
}

async function filesIn(path: string): Promise<string[]> {
  const info = await stat(path).catch(() => undefined);
  if (!info) return [];
  if (!info.isDirectory()) return [path];
  const names = (await readdir(path)).sort();
  return (await Promise.all(names.map((name) => filesIn(join(path, name))))).flat();
}

async function forgetOld(): Promise<void> {
  const files = await Promise.all(
    (await readdir(templateCache)).map(async (name) => {
      const path = join(templateCache, name);
      return { path, changedMs: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
    }),
  );
  const old = files.sort((a, b) => b.changedMs - a.changedMs).slice(kept);
  await Promise.all(old.map(({ path }) => rm(path, { force: true, recursive: true })));
}
