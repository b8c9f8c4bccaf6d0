import { createRequire } from "node:module";

const NEEDED = 24;

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
    try {
      return createRequire(from).resolve("node/bin/node");
    } catch {
      // It may be found from the other one.
    }
  }
  throw new Error(
    `Node ${NEEDED} or newer is needed, and this is ${process.versions.node}. Install it for this project alone: ${command()}`,
  );
}

/** pnpm runs no script that puts a package's binary into its place, unless the project allows it. */
function command(): string {
  const manager = process.env.npm_config_user_agent ?? "";
  if (manager.startsWith("pnpm")) return `pnpm add -D node@${NEEDED} --allow-build=node`;
  if (manager.startsWith("yarn")) return `yarn add -D node@${NEEDED}`;
  return `npm install --save-dev node@${NEEDED}`;
}
