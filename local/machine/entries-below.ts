import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { isMissing } from "./is-missing.ts";

/**
 * Everything below a folder. An entry that is removed during the read is left out; Node's own recursive `readdir` would
 * fail and return nothing.
 */
export const entriesBelow = (folder: string): Dirent[] =>
  entriesIn(folder).flatMap((entry) =>
    entry.isDirectory() ? [entry, ...entriesBelow(join(folder, entry.name))] : [entry],
  );

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
