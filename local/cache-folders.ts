import { join } from "node:path";

/** What is worth keeping from one start to the next, whatever the data folder; it may be removed at any time. */
const root = join(import.meta.dirname, "..", "node_modules", ".cache", "agent-platform");

export const templateCache = join(root, "templates");

/** Compiled code: with it a function starts in a third of the time, and nothing has its types stripped. */
export const compileCache = join(root, "compiled");

/** Code of functions' versions that were replaced; in the project, where it finds its packages. */
export const versionCache = join(root, "versions");

/**
 * Bundles that `npm run dev` makes while it runs; below the sources, so that they find the same packages.
 *
 * @param sources  folder that holds `functions/`
 */
export const devBundles = (sources: string): string =>
  join(sources, "node_modules", ".cache", "agent-platform", "dev");
