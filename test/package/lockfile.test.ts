import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (name: string): string => readFileSync(join(root, name), "utf8");

type Locked = {
  readonly version?: string;
  readonly integrity?: string;
  readonly inBundle?: boolean;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
};
const { packages }: { packages: Readonly<Record<string, Locked>> } = JSON.parse(read("package-lock.json"));
const installed = Object.entries(packages).filter(([path]) => path !== "");

test("the lock file knows the digest of every package", () => {
  // What a package brings within itself is part of its digest.
  const unlocked = installed.filter(
    ([, { integrity, inBundle }]) => !inBundle && !/^sha512-/.test(integrity ?? ""),
  );
  expect(unlocked.map(([path]) => path)).toEqual([]);
  expect(installed.length).toBeGreaterThan(100);
});

test("no package runs code when it is installed", () => {
  expect(read(".npmrc")).toMatch(/^ignore-scripts=true$/m);
  // It works without its script, which only makes its command quicker.
  const scripts = installed.filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(scripts.map(([path]) => path)).toEqual(["node_modules/esbuild"]);
});

test("the Node that runs the platform is locked for each kind of machine", () => {
  const { optionalDependencies } = JSON.parse(read("package.json"));
  const nodes = Object.entries<string>(optionalDependencies).filter(([name]) => name.startsWith("node-"));
  expect(nodes).toHaveLength(5);
  for (const [name, version] of nodes) {
    expect(version).toMatch(/^24\.\d+\.\d+$/);
    expect(packages[`node_modules/${name}`]?.version).toBe(version);
  }
});
