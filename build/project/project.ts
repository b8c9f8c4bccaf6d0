import { hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { PACKAGE_NAME } from "../../package/name.ts";

/** The name under which functions import the registry that the build is given; `package.json` says which one else. */
export const REGISTRY_IMPORT = "#registry";

/** The name under which a registry imports what it declares its agents with. */
export const PACKAGE_IMPORT = PACKAGE_NAME;

export type ProjectOptions = {
  /** Folder with the platform's sources; this one when absent. */
  readonly root?: string;
  /** File that exports the `registry`; `registry/index.ts` of the platform's sources when absent. */
  readonly registry?: string | undefined;
};

/** What is built, and where: the platform's functions with one registry. */
export type Project = {
  /** Folder with the platform's sources. */
  readonly root: string;
  readonly registry: string;
  /** Folder of the registry's project: where its `package.json`, its packages and its `.env` are. */
  readonly home: string;
  /** Takes the bundles. A registry of its own has bundles of its own, so that two do not replace each other's. */
  readonly dist: string;
};

const ownRoot = join(import.meta.dirname, "../..");

export function projectOf({ root = ownRoot, registry }: ProjectOptions = {}): Project {
  const own = join(root, "registry", "index.ts");
  const file = registry === undefined ? own : resolve(registry);
  if (file === own) return { root, registry: own, home: root, dist: join(root, "dist") };
  const home = projectFolder(dirname(file));
  // Below the packages, so that what is not bundled is found from there.
  const cache = join(home, "node_modules", ".cache", "agent-platform", "dist");
  return { root, registry: file, home, dist: join(cache, hash("sha256", file).slice(0, 16)) };
}

/** The nearest folder upwards with a `package.json` that says more than its type; the folder itself where there is none. */
function projectFolder(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, "package.json")) && !isMarkedOnly(at)) return at;
    if (at === dirname(at)) return folder;
  }
}

/**
 * Whether a folder of a project has a `package.json` for Node alone: `init` writes one where the project's own modules are of another
 * type.
 */
function isMarkedOnly(folder: string): boolean {
  if (!existsSync(join(folder, "..", "package.json"))) return false;
  try {
    return Object.keys(JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))).join() === "type";
  } catch {
    return false;
  }
}
