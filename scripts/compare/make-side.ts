import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { linkTree } from "./link-tree.ts";
import { runOrThrow } from "./run-command.ts";

/** Folders that a side gets as links: the packages, and the bundles, so that unchanged ones are not built again. */
const shared = ["node_modules", "dist"];
/** Entries that a running platform or a build writes to. */
const unshared = new Set([".cache", ".lock.db", ".vite", ".vite-temp"]);

/** Writes the sources of a revision to a folder, ready to be built and started. */
export async function makeSideOfRevision(root: string, revision: string, folder: string): Promise<void> {
  const archive = `${folder}.tar`;
  mkdirSync(folder, { recursive: true });
  await runOrThrow(root, "git", ["archive", "--format=tar", `--output=${archive}`, revision]);
  await runOrThrow(root, "tar", ["-xf", archive, "-C", folder]);
  rmSync(archive);
  share(root, folder);
}

/** The same for the sources of the working tree, committed or not. A copy, because recording generates files. */
export async function makeSideOfWorkingTree(root: string, folder: string): Promise<void> {
  const listed = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const paths = (await runOrThrow(root, "git", listed)).split("\0").filter(Boolean);
  for (const path of new Set(paths)) {
    // Git lists a moved or deleted file until the change is committed.
    if (!existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(join(root, path), join(folder, path));
  }
  share(root, folder);
}

function share(root: string, folder: string): void {
  for (const name of shared) {
    if (existsSync(join(root, name))) linkTree(join(root, name), join(folder, name), unshared);
  }
}
