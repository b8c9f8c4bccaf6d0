import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { linkTree } from "./link-tree.ts";
import { runOrThrow } from "./run-command.ts";

/** Places of the project that a side shares: its packages, and the bundles that are fresh there too. */
const shared = ["node_modules", "dist"];
/** What is written while a platform runs or builds. */
const unshared = new Set([".cache", ".lock.db", ".vite", ".vite-temp"]);

/** Puts the sources of a revision into a folder, ready to be built and started. */
export async function makeSideOfRevision(root: string, revision: string, folder: string): Promise<void> {
  const archive = `${folder}.tar`;
  mkdirSync(folder, { recursive: true });
  await runOrThrow(root, "git", ["archive", "--format=tar", `--output=${archive}`, revision]);
  await runOrThrow(root, "tar", ["-xf", archive, "-C", folder]);
  rmSync(archive);
  share(root, folder);
}

/** The same of the sources as they are now, committed or not. Not in their place: recording generates files. */
export async function makeSideOfWorkingTree(root: string, folder: string): Promise<void> {
  const listed = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const paths = (await runOrThrow(root, "git", listed)).split("\0").filter(Boolean);
  for (const path of new Set(paths)) {
    // A file that was moved or deleted is listed until that is committed.
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
