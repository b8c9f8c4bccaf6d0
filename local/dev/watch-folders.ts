import { type FSWatcher, watch } from "node:fs";
import { join } from "node:path";

/** An editor writes a file in several steps, and "save all" writes several files. */
const quietMs = 40;

/**
 * Tells when something in the folders has changed, once for changes that come together.
 *
 * @param root     top of the project
 * @param changed  may be called when nothing differs after all: whoever is told compares
 * @returns stop
 */
export function watchFolders(root: string, folders: readonly string[], changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(changed, quietMs);
  };
  const watchers: FSWatcher[] = folders.map((folder) => watch(join(root, folder), { recursive: true }, wait));
  // A folder that is removed while it is watched is a change like any other.
  for (const watcher of watchers) watcher.on("error", wait);
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
