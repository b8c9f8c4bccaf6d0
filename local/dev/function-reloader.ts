import { dirname, join, relative, sep } from "node:path";
import {
  type BuildRecord,
  buildRecord,
  bundleFunction,
  currentManifest,
  describeRegistry,
  isCurrent,
  type Linking,
  linking,
  recordOf,
  type SourceState,
  sourceState,
  writeBundle,
} from "../../build/bundles/index.ts";
import { functionNames, type Project } from "../../build/index.ts";
import type { RegistryManifest } from "../../shared/runtime/registry-manifest.ts";
import type { FunctionError } from "../lambda/messages.ts";

export type ReloaderOptions = {
  readonly project: Project;
  /** Takes the bundles; packages must be found from there. */
  readonly outdir: string;
  /** Lets a function run another module; returns what keeps it from loading. */
  readonly replace: (name: string, file: string) => Promise<FunctionError | undefined>;
  /** Whether a function's bundle is there, or known to be broken; the others are made from what is saved by then. */
  readonly isSettled: (name: string) => boolean;
  /** When a function was last called, 0 for never: the last ones are reloaded first. */
  readonly usedAt: (name: string) => number;
};

export type Reloaded = {
  readonly functions: readonly string[];
  /** What keeps functions from being bundled or loaded, each once. The code from before goes on in them. */
  readonly problems: readonly string[];
};

const LANES = 2;
/** How often code that does not load in time is loaded. */
const LOADS = 4;

export type FunctionReloader = {
  /**
   * Bundles and reloads what is stale, reported after the functions in use and after the others; one call at a time.
   *
   * @returns what the registry declares now; undefined when it is refused
   */
  readonly reload: (report: (reloaded: Reloaded) => void) => Promise<RegistryManifest | undefined>;
  /** Folders of the files that the functions are made from, wherever they are: also those of other packages of a monorepo. */
  readonly folders: () => readonly string[];
};

/**
 * Bundles functions anew while they run, each time only those whose sources have changed since they were bundled. Their
 * packages stay where they are. A registry that cannot be loaded, or is refused, stays out of all of them.
 */
export function functionReloader(options: ReloaderOptions): FunctionReloader {
  const { project, outdir, isSettled, replace, usedAt } = options;
  const { root, registry } = project;
  const registryPath = relative(root, registry).split(sep).join("/");
  const records = new Map<string, BuildRecord | undefined>();
  /** Read once: what another process builds later is not what runs here. */
  const recordFor = (name: string): BuildRecord | undefined => {
    if (!records.has(name)) records.set(name, recordOf(project, name));
    return records.get(name);
  };

  /** Writes a function's bundle: linked where the platform's part of it is there. */
  const bundled = async (name: string, now: SourceState, link: Linking): Promise<BuildRecord> => {
    const folder = join(outdir, name);
    const linked = await link(name, folder);
    if (linked) return linked;
    const how = { root, registry, name, outdir: folder, minify: false, packages: "external" } as const;
    const bundle = await bundleFunction(how);
    await writeBundle(folder, bundle, false);
    return buildRecord(bundle, now, false);
  };

  const reloadOne = async (name: string, now: SourceState, link: Linking): Promise<string | undefined> => {
    const record = await bundled(name, now, link).catch(messageOf);
    if (typeof record === "string") return record;
    const file = join(outdir, name, "index.mjs");
    let fault = await replace(name, file);
    // A busy machine, and no fault of the code: nothing else would have it loaded before the next save.
    for (let tries = 1; fault?.errorType === "Init.Timeout" && tries < LOADS; tries++)
      fault = await replace(name, file);
    if (fault) return `the code does not load: ${fault.errorMessage}`;
    records.set(name, record);
    return undefined;
  };

  const reloadAll = async (names: readonly string[], now: SourceState): Promise<Reloaded> => {
    const link = linking(project, now);
    const waiting = [...names];
    const functions: string[] = [];
    const problems = new Set<string>();
    const lane = async (): Promise<void> => {
      for (let name = waiting.shift(); name; name = waiting.shift()) {
        const problem = await reloadOne(name, now, link);
        if (problem === undefined) functions.push(name);
        else problems.add(problem);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    return { functions, problems: [...problems] };
  };

  /** What the registry declares as it is saved now, or why it is refused. */
  const describe = async (now: SourceState): Promise<RegistryManifest | string> =>
    currentManifest(project, now) ??
    currentManifest(project, now, outdir) ??
    describeRegistry(project, now, outdir).catch(messageOf);

  const reload: FunctionReloader["reload"] = async (report) => {
    const now = sourceState(project);
    const described = await describe(now);
    const isRefused = typeof described === "string";
    if (isRefused) report({ functions: [], problems: [described] });
    const stale = functionNames(root).filter((name) => {
      if (!isSettled(name)) return false;
      const record = recordFor(name);
      if (isRefused && (!record || registryPath in record.inputs)) return false;
      return !record || !isCurrent(record, now);
    });
    stale.sort((a, b) => usedAt(b) - usedAt(a));
    const [first, then] = [
      stale.filter((name) => usedAt(name) > 0),
      stale.filter((name) => usedAt(name) === 0),
    ];
    for (const names of [first, then]) if (names.length > 0) report(await reloadAll(names, now));
    return isRefused ? undefined : described;
  };

  // Of those that have been looked at: to read a record earlier is to take a bundle that is still being made for one that is not there.
  return { reload, folders: () => foldersOf(root, records.values()) };
}

/** Folders of the sources that bundles were made from. */
function foldersOf(root: string, records: Iterable<BuildRecord | undefined>): readonly string[] {
  const paths = [...records].flatMap((record) => Object.keys(record?.inputs ?? {}));
  return [...new Set(paths.map((path) => dirname(join(root, path))))];
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
