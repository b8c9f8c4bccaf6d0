import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { isMissing } from "./is-missing.ts";

/**
 * Everything below a folder. What is removed while it is read is left out; Node's own recursive reading fails then, and
 * tells nothing of the rest.
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
