import { execFile } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

/** Where packages are that one run installs and the next ones find; it goes with `node_modules`. */
export const cache = join(import.meta.dirname, "../../node_modules/.cache/agent-platform/conformance");

/** @returns a folder with packages of npm, by name and version; the first one names it */
export async function npmFolder(packages: Readonly<Record<string, string>>): Promise<string> {
  const [[name, version] = ["", ""]] = Object.entries(packages);
  const folder = join(cache, `${name.replace(/\W+/g, "-").replace(/^-/, "")}-${version}`);
  await once(folder, async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies: packages }));
    // Nothing that a package starts when it is installed is needed.
    const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
    await promisify(execFile)("npm", args, { cwd: folder });
  });
  return folder;
}

/** Fills a folder. What marks it as done is written last, so that an installation that broke off is begun again. */
export async function once(folder: string, fill: () => Promise<void>): Promise<void> {
  const done = join(folder, "installed");
  if (existsSync(done)) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  await fill();
  writeFileSync(done, "");
}
