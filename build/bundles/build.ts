import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { RegistryManifest } from "../../shared/runtime/registry-manifest.ts";
import { functionNames } from "../project/function-names.ts";
import { isExplainedByMessage } from "../project/is-explained-by-message.ts";
import { type Project, type ProjectOptions, projectOf } from "../project/project.ts";
import { currentManifest, describeRegistry, descriptionFiles } from "../registry/describe-registry.ts";
import { buildLock } from "./build-lock.ts";
import { type BuildRecord, buildRecord, isCurrent, isWhole, readRecord } from "./build-record.ts";
import {
  type BundleOptions,
  bundleFunction,
  removeForeign,
  updateFile,
  writeBundle,
} from "./bundle-function.ts";
import { hasPage } from "./bundle-page.ts";
import type { BundleSize } from "./bundle-size.ts";
import { copyBundle, type Lender, lenderTo } from "./copy-bundle.ts";
import { type Linking, linking } from "./linked-bundle.ts";
import { type SourceState, sourceState } from "./source-state.ts";

export type BuildOptions = ProjectOptions & {
  readonly minify?: boolean;
  /** Whether up-to-date bundles are built again too. */
  readonly all?: boolean;
  /** In the bundles when absent; see `BundleOptions`. A folder of bundles is always made in the same way. */
  readonly packages?: BundleOptions["packages"];
  /** Functions that are not bundled, because they will not be invoked. Each still has its folder: templates refer to it. */
  readonly without?: readonly string[];
  /** Its bundles are taken over where they have no registry in them; those of the platform's own registry when absent. */
  readonly lender?: Project;
  /**
   * Whether bundles may be linked from two parts, where the lender has one of them: for a laptop, where a project answers seconds sooner.
   * What is deployed is whole. A folder that had linked bundles is built anew without this.
   */
  readonly linked?: boolean;
  /** Called with what the registry declares, before the first function is bundled. */
  readonly onDescribed?: (manifest: RegistryManifest) => void;
  /** Called with the functions that are out of date, before the first is bundled. */
  readonly onPlanned?: (stale: readonly string[]) => void;
  /** Chooses which function is bundled next; else they come in the order of their names, those with a page last. */
  readonly next?: (waiting: ReadonlySet<string>) => string | undefined;
  /** Called after each function that has been bundled. */
  readonly onBundled?: (name: string, done: number, of: number) => void;
  /** Called with a function that cannot be bundled; the others are bundled. When absent, the build fails. */
  readonly onFailed?: (name: string, error: unknown) => void;
};
export type Built = {
  readonly seconds: number;
  /** Functions that were bundled; the others were up to date. */
  readonly bundled: readonly string[];
  readonly sizes: Readonly<Record<string, BundleSize>>;
};

/**
 * Describes the registry in `dist/registry.json`, and bundles every function whose sources have changed into
 * `dist/<function>/index.mjs` and the chunks that it loads later; a page that it serves into `dist/<function>/site/`.
 * One process builds at a time; the others wait for it.
 *
 * @throws RegistryError when the registry cannot be loaded or is refused; esbuild's `BuildFailure` when code cannot be
 *         bundled. Functions that were bundled before it stay bundled
 */
export async function build(options: BuildOptions = {}): Promise<Built> {
  const {
    minify = true,
    all = false,
    packages = "bundle",
    without = [],
    linked = false,
    onDescribed,
    onPlanned,
    next,
    onBundled,
    onFailed,
  } = options;
  const project = projectOf(options);
  const { root, dist } = project;
  const startedAt = performance.now();
  const unlock = await buildLock(dist);
  try {
    const names = functionNames(root);
    const wanted = namesWithout(names, without);
    const before = sourceState(project);
    const known = all ? undefined : currentManifest(project, before);
    const manifest = known ?? (await describeRegistry(project, before));
    onDescribed?.(manifest);
    const stale = all ? wanted : staleOf(project, wanted, before, { minify, linked });
    onPlanned?.(stale);
    const waiting = new Set(pagesLast(stale));
    const take = (): string | undefined => {
      const name = next?.(waiting) ?? waiting.values().next().value;
      if (name !== undefined) waiting.delete(name);
      return name;
    };
    await Promise.all(without.map((name) => mkdir(join(dist, name), { recursive: true })));
    const lender = stale.length > 0 ? lenderTo(project, options.lender) : undefined;
    const link = linked ? linking(project, before, lender) : undefined;
    let done = 0;
    // One at a time: two take twice the memory, 1.1 GB, and no less time, since the bundler uses all processors.
    for (let name = take(); name; name = take()) {
      try {
        await buildOne(project, name, before, { minify, packages, lender, link });
      } catch (error) {
        if (!onFailed) throw error;
        onFailed(name, error);
        continue;
      }
      onBundled?.(name, ++done, stale.length);
    }
    await removeForeign(dist, new Set([".lock.db", ...descriptionFiles, ...names.flatMap(filesOf)]));
    return {
      seconds: (performance.now() - startedAt) / 1000,
      bundled: stale,
      sizes: sizesOf(project, names),
    };
  } finally {
    unlock();
  }
}

/** What of a project's bundles matches its sources. */
export type Freshness = {
  /** Functions whose bundles do not match. */
  readonly stale: readonly string[];
  /** What the registry declares; undefined when it has to be loaded for that. */
  readonly manifest: RegistryManifest | undefined;
};

/** Compares bundles and description with the sources, which are read once for both. */
export function freshness(
  project: Project,
  { without, linked = false }: Pick<BuildOptions, "without" | "linked"> = {},
): Freshness {
  const now = sourceState(project);
  const names = namesWithout(functionNames(project.root), without);
  return {
    stale: staleOf(project, names, now, { minify: true, linked }),
    manifest: currentManifest(project, now),
  };
}

/** Whether the bundles, and the description of the registry, match their sources. */
export function isFresh(options: ProjectOptions & Pick<BuildOptions, "without" | "linked"> = {}): boolean {
  const { stale, manifest } = freshness(projectOf(options), options);
  return stale.length === 0 && manifest !== undefined;
}

/** Bundles every function whose bundle is missing or out of date, and describes the registry. */
export async function ensureBuilt(
  options: ProjectOptions & Pick<BuildOptions, "lender" | "packages" | "without" | "linked"> = {},
): Promise<void> {
  if (!isFresh(options)) await build(options);
}

/** Has the registry described, and makes the folders that templates refer to. Nothing is bundled. */
export const ensureDescribed = (options: ProjectOptions): Promise<void> =>
  ensureBuilt({ ...options, without: functionNames(projectOf(options).root) });

/** The record of a function's build; undefined when it was never bundled. */
export const recordOf = ({ dist }: Project, name: string): BuildRecord | undefined =>
  readRecord(join(dist, `${name}.built.json`));

const pagesLast = (names: readonly string[]): string[] =>
  names.toSorted((a, b) => Number(hasPage(a)) - Number(hasPage(b)));

const namesWithout = (names: readonly string[], without: readonly string[] = []): string[] =>
  names.filter((name) => !without.includes(name));

const filesOf = (name: string): string[] => [name, `${name}.meta.json`, `${name}.built.json`];

function staleOf(
  project: Project,
  names: readonly string[],
  now: SourceState,
  { minify, linked }: { readonly minify: boolean; readonly linked: boolean },
): string[] {
  return names.filter((name) => {
    const record = recordOf(project, name);
    if (record?.form === "linked" && !linked) return true;
    return record?.minify !== minify || !isCurrent(record, now) || !isWhole(project.root, record);
  });
}

async function buildOne(
  project: Project,
  name: string,
  before: SourceState,
  {
    lender,
    link,
    ...how
  }: Pick<BundleOptions, "minify" | "packages"> & {
    readonly lender: Lender | undefined;
    readonly link: Linking | undefined;
  },
): Promise<void> {
  const { minify } = how;
  if (lender && (await copyBundle(project, name, before, lender, minify))) return;
  const { root, registry, dist } = project;
  const outdir = join(dist, name);
  const recordFile = `${outdir}.built.json`;
  if (link) {
    await rm(recordFile, { force: true });
    const record = await link(name, outdir, true);
    if (record) return updateFile(recordFile, Buffer.from(JSON.stringify(record)));
  }
  const bundle = await bundleFunction({ root, registry, name, outdir, ...how });
  // Files and record are always of the same build: a killed build leaves files without a record, which count as stale.
  await rm(recordFile, { force: true });
  await writeBundle(outdir, bundle, true);
  await updateFile(`${outdir}.meta.json`, Buffer.from(JSON.stringify(bundle.metafile)));
  await updateFile(recordFile, Buffer.from(JSON.stringify(buildRecord(bundle, before, minify))));
}

function sizesOf(project: Project, names: readonly string[]): Record<string, BundleSize> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const record = recordOf(project, name);
      return record ? [[name, record.size]] : [];
    }),
  );
}

/** For the command line: what is wrong with the user's own code or settings is a sentence, without the place that found it. */
export async function orExplain<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && isExplainedByMessage(error))) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
