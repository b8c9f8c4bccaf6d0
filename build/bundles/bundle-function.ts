import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { type BuildOptions, build as esbuild, type Metafile, type Plugin, stop } from "esbuild";
import { replaceFile } from "../../local/machine/whole-file.ts";
import { ownExtension } from "../project/function-names.ts";
import { PACKAGE_IMPORT, type ProjectOptions, projectOf, REGISTRY_IMPORT } from "../project/project.ts";
import { asTheyAre } from "./as-they-are.ts";
import { explainingFailure } from "./build-failure.ts";
import { bundlePage, pageOf, type WrittenFile } from "./bundle-page.ts";
import { evaluated } from "./evaluated.ts";
import { nodeModules } from "./node-modules.ts";
import { ownMaps } from "./own-maps.ts";
import { CORE_ENTRY, REGISTRY_PART, withoutOwnPart, withoutPlatform } from "./parts.ts";
import { skillModules } from "./skill-modules.ts";
import { withoutSignIn } from "./without-sign-in.ts";

export type BundleOptions = ProjectOptions & {
  /** Folder in `functions/`. */
  readonly name: string;
  /** Is to take `index.mjs` and the chunks that it loads later. */
  readonly outdir: string;
  readonly minify: boolean;
  /**
   * Left where they are, packages need not be linked again: that is five times as fast as the bundle that is deployed,
   * and loads a little slower.
   */
  readonly packages: "bundle" | "external";
};

export type Bundle = {
  readonly metafile: Metafile;
  readonly outputFiles: readonly WrittenFile[];
  /** Bytes, with gzip, of what a browser loads before the page shows; of a function that serves one. */
  readonly firstLoad?: number;
};

/** The bundler is over in seconds; collecting its garbage as often as a server would takes a fifth of them. */
process.env.GOGC ??= "400";
/** From here on it is collected more often: the largest functions take 90 MB less, and up to a tenth more time. */
process.env.GOMEMLIMIT ??= "250MiB";

let underWay = 0;

/**
 * Bundles one function, and the page that it serves, without writing anything. The bundler's process ends with the last function that is under way:
 * it would keep up to 1.3 GB, and reads every package again for the next function anyway.
 *
 * @throws esbuild's `BuildFailure` when the code cannot be bundled
 */
export const bundleFunction = (options: BundleOptions): Promise<Bundle> =>
  alone(async () => withPage(options, await bundleWithService(options)));

async function alone<T>(work: () => Promise<T>): Promise<T> {
  underWay++;
  try {
    return await work();
  } finally {
    if (--underWay === 0) await stop();
  }
}

/** Function and page are one bundle: they are made, found stale and deployed together. */
async function withPage({ name, outdir, minify, ...where }: BundleOptions, bundle: Bundle): Promise<Bundle> {
  const { root } = projectOf(where);
  const entry = pageOf(root, name);
  if (entry === undefined) return bundle;
  const page = await bundlePage(entry, { root, outdir, minify });
  return {
    metafile: {
      inputs: { ...page.metafile.inputs, ...bundle.metafile.inputs },
      outputs: { ...page.metafile.outputs, ...bundle.metafile.outputs },
    },
    outputFiles: [...page.outputFiles, ...bundle.outputFiles],
    firstLoad: page.firstLoad,
  };
}

async function bundleWithService({ name, ...options }: BundleOptions): Promise<Bundle> {
  const { root } = projectOf(options);
  return bundleEntries(await entriesOf(root, name), options);
}

/**
 * Bundles the registry alone, for the process that describes it; see `describe-registry.ts`.
 *
 * @throws esbuild's `BuildFailure` when the code cannot be bundled
 */
export const bundleRegistry = (options: Omit<BundleOptions, "name">): Promise<Bundle> =>
  alone(() => bundleEntries([{ in: projectOf(options).registry, out: "index" }], options));

/**
 * Bundles functions without a project's own part, which is linked to them later; see `parts.ts`. All at once: what they have in common
 * is read once, and is in files that they have in common.
 *
 * @returns files of one folder, in which each entry of a function has its function's name before its own: `runs.index.mjs`
 * @throws esbuild's `BuildFailure` when the code cannot be bundled
 */
export async function bundleOpen(
  names: readonly string[],
  options: Omit<BundleOptions, "name">,
): Promise<Bundle> {
  const { root } = projectOf(options);
  const entries = await Promise.all(
    names.map(async (name) =>
      (await entriesOf(root, name)).map((one) => ({ in: one.in, out: `${name}.${one.out}` })),
    ),
  );
  const core = { in: `package/index${ownExtension}`, out: CORE_ENTRY };
  return alone(() => bundleEntries([...entries.flat(), core], options, [withoutOwnPart]));
}

/**
 * Bundles a project's registry without the platform; see `parts.ts`.
 *
 * @throws esbuild's `BuildFailure` when the code cannot be bundled
 */
export async function bundleRegistryPart(options: Omit<BundleOptions, "name">): Promise<Bundle> {
  const entry = { in: projectOf(options).registry, out: REGISTRY_PART.replace(".mjs", "") };
  return alone(() => bundleEntries([entry], options, [withoutPlatform]));
}

async function bundleEntries(
  entryPoints: { in: string; out: string }[],
  { outdir, minify, packages, ...where }: Omit<BundleOptions, "name">,
  parts: readonly Plugin[] = [],
): Promise<Bundle> {
  const project = projectOf(where);
  const { root, registry } = project;
  const data = evaluated();
  const skills = skillModules(root, registry);
  const options: BuildOptions & { write: false; metafile: true } = {
    absWorkingDir: root,
    entryPoints,
    outdir,
    outExtension: { ".js": ".mjs" },
    chunkNames: "[name]-[hash]",
    bundle: true,
    write: false,
    metafile: true,
    minify,
    packages,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    // ES modules first: a third less code than with the CommonJS builds of the same packages.
    mainFields: ["module", "main"],
    // Read where a failure is logged, and deployed for that.
    sourcemap: "linked",
    sourcesContent: false,
    // Whoever resolves a name first has it.
    plugins: [
      ...parts,
      registryAt(root, registry),
      withoutSignIn,
      nodeModules,
      data.plugin,
      skills.plugin,
      asTheyAre,
      ownMaps,
    ],
    legalComments: "none",
    // Some packages are CommonJS and call require for Node's own modules.
    banner: { js: 'const require=process.getBuiltinModule("node:module").createRequire(import.meta.url);' },
    logLevel: "silent",
  };
  const { outputFiles, metafile } = await explainingFailure(project, () => esbuild(options));
  // What the data was made from first: of a module that both know, the bundle's own entry shows how it is part of it.
  return {
    metafile: { ...metafile, inputs: { ...data.inputs(), ...skills.inputs(), ...metafile.inputs } },
    outputFiles,
  };
}

/**
 * Has `#registry` lead to the registry of this build, and what it declares its agents with to the same modules that the
 * functions have, also where other packages stay where they are.
 */
const registryAt = (root: string, path: string): Plugin => ({
  name: "registry",
  setup({ onResolve }) {
    onResolve({ filter: new RegExp(`^${REGISTRY_IMPORT}$`) }, () => ({ path }));
    const declaring = join(root, "package", `index${ownExtension}`);
    onResolve({ filter: new RegExp(`^${PACKAGE_IMPORT}$`) }, () => ({ path: declaring }));
  },
});

/** The function itself, and the processes that it starts: `functions/<name>/<what>-process.ts`, bundled beside it. */
async function entriesOf(root: string, name: string): Promise<{ in: string; out: string }[]> {
  const folder = `functions/${name}`;
  const processes = (await readdir(join(root, folder))).filter((file) =>
    file.endsWith(`-process${ownExtension}`),
  );
  return [`index${ownExtension}`, ...processes].map((file) => ({
    in: `${folder}/${file}`,
    out: file.replace(/\.[jt]s$/, ""),
  }));
}

/** Name the other files of a bundle, and are written after them. */
const heads = ["index.mjs", join("site", "index.html")];

/**
 * Writes a bundle. Safe while functions of an earlier one are executing or start: a file is replaced in one step, and only
 * when its content differs; what names the chunks comes after them.
 *
 * @param tidy  whether what an earlier bundle left in the folder goes; code that is running may still load it
 */
export async function writeBundle(
  outdir: string,
  { outputFiles }: Pick<Bundle, "outputFiles">,
  tidy: boolean,
): Promise<void> {
  const isHead = ({ path }: WrittenFile): boolean => heads.includes(relative(outdir, path));
  const write = ({ path, contents }: WrittenFile) => updateFile(path, contents);
  const folders = new Set([outdir, ...outputFiles.map(({ path }) => dirname(path))]);
  await Promise.all([...folders].map((folder) => mkdir(folder, { recursive: true })));
  await Promise.all(outputFiles.filter((file) => !isHead(file)).map(write));
  await Promise.all(outputFiles.filter(isHead).map(write));
  if (tidy) await removeForeign(outdir, new Set(outputFiles.map(({ path }) => relative(outdir, path))));
}

/** Writes a file in one step, and only when its content differs. */
export async function updateFile(path: string, contents: Uint8Array): Promise<void> {
  const present = await readFile(path).catch(() => undefined);
  if (!present?.equals(contents)) await replaceFile(path, contents);
}

/**
 * Removes what is in a folder and not wanted there.
 *
 * @param wanted  paths from the folder; of a folder that is wanted as a whole, its own
 */
export async function removeForeign(folder: string, wanted: ReadonlySet<string>): Promise<void> {
  const within = (name: string): string[] =>
    [...wanted].filter((path) => path.startsWith(name + sep)).map((path) => path.slice(name.length + 1));
  const tidy = async (name: string): Promise<void> => {
    if (wanted.has(name)) return;
    const inside = within(name);
    if (inside.length > 0) await removeForeign(join(folder, name), new Set(inside));
    else await rm(join(folder, name), { recursive: true, force: true });
  };
  await Promise.all((await readdir(folder)).map(tidy));
}
