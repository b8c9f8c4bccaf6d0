import { existsSync, readdirSync } from "node:fs";
import { extname, join } from "node:path";

/** Of the platform's own modules: the sources are TypeScript, those of the package are compiled. */
export const ownExtension = extname(import.meta.filename);

/**
 * Names of the folders in `functions/` that are deployed.
 *
 * @param root  top of the project
 */
export function functionNames(root: string): string[] {
  const folders = readdirSync(join(root, "functions"), { withFileTypes: true });
  return folders
    .filter(
      (entry) =>
        entry.isDirectory() && existsSync(join(root, "functions", entry.name, `index${ownExtension}`)),
    )
    .map(({ name }) => name)
    .sort();
}
