import { type FSWatcher, statSync, watch } from "node:fs";
import { join, resolve } from "node:path";
import { entriesBelow, mayHoldSources } from "../machine/entries-below.ts";
import { isMissing } from "../machine/is-missing.ts";

/** An editor writes a file in several steps, and "save all" writes several files. */
const quietMs = 40;

/**
 * Calls back when something in the folders has changed, once for changes that come together. Each folder is watched by
 * itself: Node's own recursive watch loses a file on Linux that an editor has replaced by a new one.
 *
 * @param root     top of the project
 * @param changed  may be called when nothing differs after all: the caller compares
 * @param others   paths of further folders, each without what is below it; asked for at each change, and by `follow`
 */
export function watchFolders(
  root: string,
  folders: readonly string[],
  changed: () => void,
  others: () => readonly string[] = () => [],
): { readonly follow: () => void; readonly stop: () => void } {
  const watched = new Map<string, { readonly identity: string; readonly watcher: FSWatcher }>();
  let timer: NodeJS.Timeout | undefined;

  const forget = (folder: string): void => {
    watched.get(folder)?.watcher.close();
    watched.delete(folder);
  };
  const follow = (): void => {
    const paths = [...folders.flatMap((folder) => foldersIn(resolve(root, folder))), ...others()];
    const present = new Map(paths.map((folder) => [folder, identityOf(folder)]));
    for (const [folder, { identity }] of watched) if (present.get(folder) !== identity) forget(folder);
    for (const [folder, identity] of present) {
      if (identity === undefined || watched.has(folder)) continue;
      const watcher = watchIfThere(folder, wait)?.on("error", () => forget(folder));
      if (watcher) watched.set(folder, { identity, watcher });
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
  return {
    follow,
    stop: () => {
      clearTimeout(timer);
      for (const folder of [...watched.keys()]) forget(folder);
    },
  };
}

/** Differs for a folder that was removed and made again, which its watcher does not follow. */
function identityOf(folder: string): string | undefined {
  const found = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return found && `${found.ino} ${found.birthtimeNs}`;
}

/** A folder that goes in this moment is seen by what watches the one above it. */
function watchIfThere(folder: string, changed: () => void): FSWatcher | undefined {
  try {
    return watch(folder, changed);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

const foldersIn = (top: string): string[] => [
  top,
  ...entriesBelow(top, mayHoldSources)
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name)),
];
