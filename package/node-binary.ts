import { createRequire } from "node:module";

const NEEDED = 24;

/**
 * The Node that runs the platform: this process's own when it is new enough, else the one that comes with the package. Runs in
 * Node 20.
 *
 * @throws Error when there is none
 */
export function nodeBinary(): string {
  const [major = 0] = process.versions.node.split(".").map(Number);
  if (major >= NEEDED) return process.execPath;
  try {
    return createRequire(import.meta.url).resolve("node/bin/node");
  } catch {
    throw new Error(
      `Node ${NEEDED} or newer is needed; this is ${process.versions.node}, and the package "node" is not installed.`,
    );
  }
}
