import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { entriesBelow } from "../../local/machine/entries-below.ts";
import { isMissing } from "../../local/machine/is-missing.ts";

/** What decides over every bundle, besides the sources: how they are made, and from which packages. */
const recipeFiles = ["package.json", "package-lock.json", "node_modules/.package-lock.json", "tsconfig.json"];

/** Where functions and their pages are made from. */
const sourceFolders = ["functions", "shared", "registry", "console", "client"];

/** Files that change how others are read, wherever they lie. */
const settingsFiles = new Set(["package.json", "tsconfig.json", "jsconfig.json"]);

/** The sources as they are at one moment. */
export type SourceState = {
  /** Stands for all that decides over every bundle. */
  readonly recipe: string;
  /** Digests of the files in the source folders, by path from the top of the project. */
  readonly digests: ReadonlyMap<string, string>;
  /** Stands for the names of all files: what an import leads to that does not name its file. */
  readonly names: string;
};

/**
 * Reads all sources: 1,300 files in 60 ms. Contents are compared, since times tell neither what a checkout did nor what
 * was saved twice within one tick of the file system's clock.
 *
 * @param root  top of the project
 */
export function sourceState(root: string): SourceState {
  const digests = new Map<string, string>();
  for (const folder of sourceFolders) {
    for (const path of filesIn(root, folder)) digests.set(path, digestOf(join(root, path)));
  }
  const paths = [...digests.keys()].sort();
  const decisive = [...recipeFiles, ...filesIn(root, "scripts/bundles")].map((path) => [
    path,
    digestOf(join(root, path)),
  ]);
  const settings = paths.filter((path) => settingsFiles.has(basename(path)) || path.includes("node_modules"));
  return {
    recipe: hash("sha256", JSON.stringify([decisive, settings.map((path) => [path, digests.get(path)])])),
    digests,
    names: hash("sha256", JSON.stringify(paths)),
  };
}

function filesIn(root: string, folder: string): string[] {
  return entriesBelow(join(root, folder))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"));
}

/** Empty for a file that is not there, or is gone since its folder was read. */
function digestOf(path: string): string {
  try {
    return hash("sha256", readFileSync(path), "base64url");
  } catch (error) {
    if (isMissing(error)) return "";
    throw error;
  }
}
