import { readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import type { Metafile } from "esbuild";
import { PACKAGE_IMPORT, REGISTRY_IMPORT } from "../project/project.ts";
import type { Bundle } from "./bundle-function.ts";
import { type BundleSize, bundleSize } from "./bundle-size.ts";
import type { SourceState } from "./source-state.ts";

/** What a bundle was made from, and what came of it. */
export type BuildRecord = {
  readonly minify: boolean;
  /** Whole when absent; see `parts.ts` for the two parts. */
  readonly form?: "open" | "linked";
  readonly recipe: string;
  /** Digests of its own sources. Packages are in the recipe. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Given when one of its imports does not name its file: then a new file may be what it leads to. */
  readonly names?: string;
  /** Of a bundle that a package brings: where each file is, by its name in the function's folder. Paths are from the top. */
  readonly stored?: Readonly<Record<string, string>>;
  /** Bytes of each file, by path from the top of the project. */
  readonly outputs: Readonly<Record<string, number>>;
  readonly size: BundleSize;
};

/** Written for a source whose digest is not known; no file has it. */
const UNKNOWN = "?";

/**
 * Describes a bundle.
 *
 * @param before  the sources before it was made: what was saved meanwhile makes it stale
 */
export function buildRecord(bundle: Bundle, before: SourceState, minify: boolean): BuildRecord {
  const { metafile, firstLoad } = bundle;
  const isPackage = (path: string): boolean => isGenerated(path) || isInPackage(before.root, path);
  const own = Object.entries(metafile.inputs).filter(([path]) => !isPackage(path));
  const isLoose = own.some(([path, { imports }]) =>
    imports.some((one) => !isPackage(one.path) && !namesItsFile(path, one)),
  );
  return {
    minify,
    recipe: before.recipe,
    inputs: Object.fromEntries(
      own
        .filter(([path]) => path !== "package.json")
        // Of a file that was saved meanwhile it is unknown which text is in the bundle; the old one may come back.
        .map(([path]) => [path, before.isSavedSince(path) ? UNKNOWN : before.digestOf(path) || UNKNOWN]),
    ),
    ...(isLoose && { names: before.names }),
    outputs: Object.fromEntries(Object.entries(metafile.outputs).map(([path, { bytes }]) => [path, bytes])),
    size: { ...bundleSize(metafile), ...(firstLoad !== undefined && { firstLoad }) },
  };
}

/** Whether a bundle is what its sources would give now. */
export function isCurrent(record: BuildRecord, now: SourceState): boolean {
  return (
    record.recipe === now.recipe &&
    (record.names === undefined || record.names === now.names) &&
    Object.entries(record.inputs).every(([path, digest]) => now.digestOf(path) === digest)
  );
}

/** Whether all files of a bundle are where they were written. */
export const isWhole = (root: string, { outputs }: BuildRecord): boolean =>
  Object.entries(outputs).every(
    ([path, bytes]) => statSync(join(root, path), { throwIfNoEntry: false })?.size === bytes,
  );

/** @returns undefined when there is none that can be read, such as one of another version */
export function readRecord(file: string): BuildRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** Whether an input has a namespace: a plugin made its text, and the recipe stands for every plugin. A drive has one letter. */
const isGenerated = (path: string): boolean => /^[\w-]{2,}:/.test(path);

type Import = Metafile["inputs"][string]["imports"][number];

/**
 * Whether a file belongs to a package: of this project, or of one whose registry is elsewhere. Where this is a package itself,
 * others lie beside it, and their paths do not say so.
 */
const isInPackage = (root: string, path: string): boolean =>
  /(^|\/|:)node_modules\//.test(path) ||
  (path.startsWith("../") && posix.join(root, path).includes("/node_modules/"));

/** An import of our own code that names its file leads there whatever other files there are. */
function namesItsFile(importer: string, { path, original, external }: Import): boolean {
  if (external || original === REGISTRY_IMPORT || original === PACKAGE_IMPORT) return true;
  return original !== undefined && posix.join(posix.dirname(importer), original) === path;
}
