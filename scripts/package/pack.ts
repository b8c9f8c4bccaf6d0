/**
 * Makes the package `@agentplatform/core` in `dist-package/`, and its tarball with `--tarball <folder>`: compiled JavaScript, the types of
 * its entries, the bundles of the functions that have no registry in them, and the page for operators. `npm run pack`.
 */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { dirname, join, relative } from "node:path";
import { build as esbuild, stop } from "esbuild";
import {
  type BuildRecord,
  build,
  importsRegistry,
  lendOpen,
  sourceState,
  storeFiles,
} from "../../build/bundles/index.ts";
import { functionNames, projectOf } from "../../build/index.ts";
import { CREATE_NAME, PACKAGE_NAME } from "../../package/name.ts";
import { testProject } from "../../test/support/test-registry.ts";
import { bringAlong, broughtAlong } from "./bring-along.ts";
import { type Lockfile, sbomOf } from "./sbom.ts";
import { describedSettings } from "./settings-types.ts";

/** The only optional package that a project needs; the others are for checks of this repository. */
const LOCAL_DATABASE = "@dynoxide/linux-x64";

const root = join(import.meta.dirname, "../..");
const out = join(root, "dist-package");
const outOfCreate = join(root, "dist-create");

/** What the package's own modules are compiled from. */
const sources = ["bin", "build", "client", "functions", "lib", "local", "package", "react", "shared"];

/** The entries of the package, by the names under which they are imported. */
const entries: Readonly<Record<string, string>> = {
  ".": "package/index",
  "./cdk": "package/cdk",
  "./client": "client/index",
  "./react": "react/index",
  "./testing": "package/testing",
};

/** Found by their names at run time, so that no import shows them. */
const foundByName = ["fauxqs"];

/** What some commands alone take: a project installs it when it first needs it. See `package/cli/optional-tools.ts`. */
const peers = ["@agentclientprotocol/sdk", "aws-cdk", "aws-cdk-lib", "cdk-nag", "constructs"];
/** The hooks are for the page of a user, who has a version of their own. */
const peersOfPages = { react: ">=18" };

rmSync(out, { recursive: true, force: true });
compile();
typesOfEntries();
rewriteAddresses();
await bringAlong(root, out);
// Functions import it; a project has its own. What it imports, the package does not need.
rmSync(join(out, "registry"), { recursive: true, force: true });
await writeManifest();
// With it bundles leave out what they do not use of the faces.
cpSync(join(root, "shared/package.json"), join(out, "shared/package.json"));
for (const folder of ["template", "templates"])
  cpSync(join(root, "package", folder), join(out, "package", folder), { recursive: true });
cpSync(join(root, "examples"), join(out, "examples"), { recursive: true });
// Sentences name its pages, and a coding agent reads those of the version that is installed.
for (const name of readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }))
  if (/^(guide[\\/])?[^\\/]+\.md$/.test(name)) cpSync(join(root, "docs", name), join(out, "docs", name));
cpSync(join(root, "package/cli/agent-platform.mjs"), join(out, "package/cli/agent-platform.mjs"));
chmodSync(join(out, "package/cli/agent-platform.mjs"), 0o755);
for (const file of ["LICENSE", "CHANGELOG.md"]) cpSync(join(root, file), join(out, file));
cpSync(join(root, "package/README.md"), join(out, "README.md"));
await bundleSynthesis();
await lendBundles();
// From the package's own files, whose digest it carries: after all of them.
await (await import(join(out, "local/template/make-ahead.js"))).makeAhead();
makeCreatePackage();
const folder = process.argv[process.argv.indexOf("--tarball") + 1];
if (process.argv.includes("--tarball") && folder !== undefined) {
  mkdirSync(folder, { recursive: true });
  for (const cwd of [out, outOfCreate])
    execFileSync("npm", ["pack", "--pack-destination", folder, "--loglevel", "error"], {
      cwd,
      stdio: "inherit",
    });
}

/** The package that `npm create` installs: what writes a project, and the templates. */
function makeCreatePackage(): void {
  rmSync(outOfCreate, { recursive: true, force: true });
  for (const path of [
    "package/create",
    "package/name.js",
    "local/machine/manager-command.js",
    "package/template",
    "package/templates",
    "examples",
    "LICENSE",
  ])
    cpSync(join(out, path), join(outOfCreate, path), { recursive: true });
  const { version, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const bin = "package/create/bin.js";
  chmodSync(join(outOfCreate, bin), 0o755);
  const manifest = {
    name: CREATE_NAME,
    version,
    description: `Makes a project with agents on ${PACKAGE_NAME}.`,
    license,
    type: "module",
    engines: { node: ">=20.11" },
    bin: { create: bin },
  };
  writeFileSync(join(outOfCreate, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

function tsc(options: Readonly<Record<string, unknown>>, files: readonly string[]): void {
  const file = join(root, `dist-package.tsconfig.json`);
  const compilerOptions = {
    noEmit: false,
    // `npm run check` looks for errors; to look for them here twice took a minute.
    noCheck: true,
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
    execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", file, "--singleThreaded"], {
      cwd: root,
      stdio: "inherit",
      // Those of the bundler, which is held to little memory, would have the compiler collect garbage twice as long as it compiles.
      env: { ...process.env, GOGC: "off", GOMEMLIMIT: "2GiB" },
    });
  } finally {
    rmSync(file);
  }
}

/** Nothing is looked up but the sources themselves: what is compiled depends on no types. */
function compile(): void {
  tsc({ declaration: false, noResolve: true, types: [] }, [...sources, "shared/**/*.json"]);
}

function typesOfEntries(): void {
  const files = Object.values(entries).map((path) => `${path}.ts`);
  tsc({ declaration: true, emitDeclarationOnly: true }, files);
  const settings = join(out, "package/config/project-config.d.ts");
  writeFileSync(settings, describedSettings(readFileSync(settings, "utf8")));
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
  const pinned = (names: Iterable<string>): Record<string, string> =>
    Object.fromEntries(
      [...new Set(names)].toSorted().map((name) => {
        const version = versions[name];
        if (version === undefined) throw new Error(`${name} is imported, and package.json does not name it`);
        return [name, version];
      }),
    );
  const imported = (await importedPackages()).filter(
    (name) => !peers.includes(name) && !(name in peersOfPages),
  );
  const dependencies = pinned([...foundByName, ...imported]);
  const exports = Object.fromEntries(
    Object.entries(entries).map(([name, path]) => [
      name,
      { types: `./${path}.d.ts`, default: `./${path}.js` },
    ]),
  );
  const { name, version, description, license } = own;
  // A database that starts in 35 ms. Those of other machines are fetched when they are first needed, since `npm ci` fails with
  // any package in a manifest that its registry does not have.
  const optional = { [LOCAL_DATABASE]: own.optionalDependencies[LOCAL_DATABASE] };
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
    peerDependencies: { ...pinned(peers), ...peersOfPages },
    peerDependenciesMeta: Object.fromEntries(
      [...peers, ...Object.keys(peersOfPages)].map((name) => [name, { optional: true }]),
    ),
    optionalDependencies: optional,
  };
  writeFileSync(join(out, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const lockfile: Lockfile = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const sbom = sbomOf(
    own,
    [...Object.keys(dependencies), ...Object.keys(optional), ...broughtAlong],
    lockfile,
  );
  writeFileSync(join(out, "sbom.cdx.json"), `${JSON.stringify(sbom, null, 2)}\n`);
}

/**
 * The template of this machine is made by the CDK too. Its part of the CDK, 12 MB of 190, comes with the package in one file,
 * so that a laptop needs no more of it.
 */
async function bundleSynthesis(): Promise<void> {
  const file = join(out, "local/template/synthesis-thread.js");
  const core = createRequire(import.meta.url).resolve("aws-cdk-lib/core");
  await withMemory(() =>
    esbuild({
      entryPoints: [file],
      outfile: file,
      allowOverwrite: true,
      bundle: true,
      minify: true,
      // The CDK compares classes by their names.
      keepNames: true,
      platform: "node",
      format: "esm",
      target: "node24",
      nodePaths: [join(root, "node_modules")],
      external: ["#registry", "esbuild"],
      // It is a thread's: what the app does as a program of its own is no part of it.
      define: { "import.meta.main": "false" },
      legalComments: "none",
      logLevel: "error",
      banner: {
        js: 'import{createRequire as ownRequire}from"node:module";const require=ownRequire(import.meta.url),__filename=import.meta.filename,__dirname=import.meta.dirname;',
      },
      // The entry of the whole has a way to every service of AWS.
      plugins: [
        {
          name: "core",
          setup: ({ onResolve }) => onResolve({ filter: /^aws-cdk-lib$/ }, () => ({ path: core })),
        },
      ],
    }),
  );
}

/** The bundler is held to little memory, which suits a function; with that it would collect garbage for minutes here. */
async function withMemory(work: () => Promise<unknown>): Promise<void> {
  await stop();
  const { GOMEMLIMIT: limit } = process.env;
  delete process.env.GOMEMLIMIT;
  await work();
  await stop();
  if (limit !== undefined) process.env.GOMEMLIMIT = limit;
}

/** Each file is read alone: to bundle all of them for their imports took half of what packing takes. */
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
    plugins: [
      {
        name: "alone",
        setup: ({ onResolve }) =>
          onResolve({ filter: /./ }, ({ kind, path }) =>
            kind === "entry-point" ? undefined : { path, external: true },
          ),
      },
    ],
    logLevel: "error",
  });
  for (const [file, { imports }] of Object.entries(metafile.inputs))
    for (const { path } of imports) {
      const at = join(out, dirname(file), path);
      if (path.startsWith(".") && !existsSync(at) && at !== join(out, "package.json"))
        throw new Error(`${file} imports ${path}, which is not in the package`);
    }
  const specifiers = Object.values(metafile.inputs)
    .flatMap(({ imports }) => imports)
    .filter(({ path }) => !/^[.#/]/.test(path) && !isBuiltin(path))
    .map(({ path }) =>
      path
        .split("/")
        .slice(0, path.startsWith("@") ? 2 : 1)
        .join("/"),
    );
  return [...new Set(specifiers)];
}

/**
 * Functions without a registry are the same in every project. Their bundles go into the package as they are, and those of the
 * others without their registry, so that a project takes them over and bundles its own code alone; they count as current while the
 * package is the one that they came with.
 */
async function lendBundles(): Promise<void> {
  const own = projectOf({ root });
  const lent = projectOf({ root: out });
  const names = functionNames(root);
  const open = names.filter((name) =>
    importsRegistry(readFileSync(join(root, "functions", name, "index.ts"), "utf8")),
  );
  await build({ without: open, lender: testProject });
  const { recipe } = sourceState(lent);
  for (const name of names.filter((one) => !open.includes(one))) {
    const outdir = join(own.dist, name);
    const files = filesIn(outdir, "").filter((path) => !path.endsWith(".map"));
    const named = files.map((path) => [relative(outdir, path), readFileSync(path)] as const);
    const { names: _, ...record } = JSON.parse(readFileSync(`${outdir}.built.json`, "utf8"));
    const stored = await storeFiles(lent, new Map(named));
    const kept: BuildRecord = { ...record, recipe, inputs: {}, ...stored };
    writeFileSync(join(lent.dist, `${name}.built.json`), JSON.stringify(kept));
  }
  await withMemory(() => lendOpen(open, { root, lent, recipe }));
}

function filesIn(folder: string, extension: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && one.name.endsWith(extension))
    .map(({ parentPath, name }) => join(parentPath, name));
}
