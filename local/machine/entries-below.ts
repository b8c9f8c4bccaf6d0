import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { isMissing } from "./is-missing.ts";

/** Whether a folder of this name may hold sources: packages do not, nor what tools put into hidden folders and their own. */
export const mayHoldSources = (name: string): boolean =>
  !name.startsWith(".") && name !== "node_modules" && name !== "cdk.out";

/**
 * Everything below a folder. An entry that is removed during the read is left out; Node's own recursive `readdir` would
 * fail and return nothing.
 *
 * @param enters  whether a folder of this name is read; all are when absent
 */
export const entriesBelow = (folder: string, enters: (name: string) => boolean = () => true): Dirent[] =>
  entriesIn(folder).flatMap((entry) => {
    if (!entry.isDirectory()) return [entry];
    return enters(entry.name) ? [entry, ...entriesBelow(join(folder, entry.name), enters)] : [];
  });

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
