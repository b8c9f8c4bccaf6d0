import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Names of the folders in `functions/` that are deployed.
 *
 * @param root  top of the project
 */
export function functionNames(root: string): string[] {
  const folders = readdirSync(join(root, "functions"), { withFileTypes: true });
  return folders
    .filter((entry) => entry.isDirectory() && existsSync(join(root, "functions", entry.name, "index.ts")))
    .map(({ name }) => name)
    .sort();
}
