import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { functionNames } from "../project/function-names.ts";
import type { Project } from "../project/project.ts";
import { readRecord } from "./build-record.ts";

/** From here on a cold start reads for long enough to be noticed. */
export const LARGE_BYTES = 5_000_000;
/** @source AWS Lambda, "Lambda quotas": 250 MB, unzipped */
export const MOST_BYTES = 250 * 1024 * 1024;

export type LargeBundle = {
  readonly name: string;
  readonly bytes: number;
  /** What it is made of, the heaviest first: packages, and what is no package as "your own code". */
  readonly parts: readonly { readonly name: string; readonly bytes: number }[];
};

const SHOWN = 3;

/** The functions of a project whose code is large. Those that were taken over as they are do not count: they are ours. */
export function largeBundles({ root, dist }: Project, from: number = LARGE_BYTES): readonly LargeBundle[] {
  return functionNames(root).flatMap((name) => {
    const size = readRecord(join(dist, `${name}.built.json`))?.size;
    const bytes = size ? size.atStart + size.lazy : 0;
    if (bytes < from) return [];
    const metafile = readMetafile(join(dist, `${name}.meta.json`));
    return metafile ? [{ name, bytes, parts: partsOf(metafile, root) }] : [];
  });
}

/** @param root  folder that the paths are from; it may be a package itself */
function partsOf({ outputs }: Metafile, root: string): LargeBundle["parts"] {
  const sizes = new Map<string, number>();
  for (const [file, { inputs }] of Object.entries(outputs)) {
    if (!file.endsWith(".mjs")) continue;
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const part = partOf(join(root, path));
      sizes.set(part, (sizes.get(part) ?? 0) + bytesInOutput);
    }
  }
  return [...sizes]
    .map(([name, bytes]) => ({ name, bytes }))
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, SHOWN);
}

/** The innermost package that a file belongs to. */
function partOf(path: string): string {
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  return name ?? "your own code";
}

/**
 * Describes them to the user.
 *
 * @returns a sentence for each; and whether Lambda would refuse one
 */
export function describeLargeBundles(bundles: readonly LargeBundle[]): {
  readonly lines: string[];
  readonly isTooLarge: boolean;
} {
  const lines = bundles.map(({ name, bytes, parts }) => {
    const of = parts.map((part) => `${part.name} ${megabytes(part.bytes)}`).join(", ");
    const why = bytes > MOST_BYTES ? "Lambda takes at most 250 MB" : "a cold start reads it";
    return `the code of ${name} has ${megabytes(bytes)} (${why}): ${of}`;
  });
  return { lines, isTooLarge: bundles.some(({ bytes }) => bytes > MOST_BYTES) };
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

function readMetafile(file: string): Metafile | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
