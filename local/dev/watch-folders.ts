import { type FSWatcher, readdirSync, watch } from "node:fs";
import { join } from "node:path";

/** An editor writes a file in several steps, and "save all" writes several files. */
const quietMs = 40;

/**
 * Tells when something in the folders has changed, once for changes that come together. Each folder is watched by
 * itself: Node's own recursive watch loses a file on Linux that an editor has replaced by a new one.
 *
 * @param root     top of the project
 * @param changed  may be called when nothing differs after all: whoever is told compares
 * @returns stop
 */
export function watchFolders(root: string, folders: readonly string[], changed: () => void): () => void {
  const watchers = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;

  const forget = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const follow = (): void => {
    const present = new Set(folders.flatMap((folder) => foldersIn(join(root, folder))));
    for (const folder of watchers.keys()) if (!present.has(folder)) forget(folder);
    for (const folder of present) {
      // A folder that goes in this moment is seen by what watches the one above it.
      if (!watchers.has(folder))
        watchers.set(
          folder,
          watch(folder, wait).on("error", () => forget(folder)),
        );
    }
  };
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      follow();
      changed();
    }, quietMs);
  };

  follow();
  return () => {
    clearTimeout(timer);
    for (const folder of [...watchers.keys()]) forget(folder);
  };
}

const foldersIn = (top: string): string[] => [
  top,
  ...readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name)),
];
