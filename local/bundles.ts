import { basename, dirname, relative } from "node:path";
import { bundleQueue } from "../build/bundles/index.ts";
import { type ProjectOptions, projectOf, readManifest } from "../build/index.ts";
import { emptyManifest, type RegistryManifest } from "../shared/runtime/registry-manifest.ts";
import type { FunctionError } from "./lambda/messages.ts";
import { StartupError } from "./startup-error.ts";

/** `/health` and `/docs` are answered by these two: the platform is ready when they are bundled. */
const neededToBeReady = ["authorizer", "platform"];
/** Then what a first run needs. */
const first = [...neededToBeReady, "runs", "worker"];

export type Bundles = {
  /** What the registry declares. @throws RegistryError when it cannot be loaded or is refused */
  readonly manifest: Promise<RegistryManifest>;
  /** Has a function's module bundled next. @returns undefined when it is there, else why it cannot be bundled */
  readonly need: (file: string) => Promise<FunctionError | undefined> | undefined;
  /**
   * Waits for the bundles without which nothing can be answered.
   *
   * @throws StartupError when it is known by then that any function cannot be bundled
   */
  readonly ready: () => Promise<void>;
  /** Whether a function's bundle is there, or known to be broken. */
  readonly isSettled: (name: string) => boolean;
  /** Settles when all are; undefined when all were there. */
  readonly finished: Promise<void> | undefined;
  readonly stop: () => void;
};

export type BundlesOptions = ProjectOptions & {
  readonly progress: (step: string) => void;
  /** Called with how far the bundling has come. */
  readonly passing: (step: string) => void;
  /** Called with functions that cannot be bundled, once the platform is ready. */
  readonly show: (line: string) => void;
};

/** The bundles of a project that are known to be up to date. */
export const bundlesInPlace = (options: ProjectOptions): Bundles => ({
  manifest: Promise.resolve(readManifest(projectOf(options).dist) ?? emptyManifest),
  need: () => undefined,
  ready: async () => {},
  isSettled: () => true,
  finished: undefined,
  stop: () => {},
});

/** The bundles of a project, which are built while its platform starts and runs. */
export function openBundles({ progress, passing, show, ...options }: BundlesOptions): Bundles {
  const { dist } = projectOf(options);
  let isReady = false;
  /** A mistake in shared code breaks many functions; it is shown once. */
  const problems = new Set<string>();
  const queue = bundleQueue({
    ...options,
    first,
    onProgress: (done, of) =>
      done < of ? passing(`${done} of ${of} functions bundled`) : progress(`${of} functions bundled`),
    onFailed: (name, reason) => {
      if (isReady && !problems.has(reason)) show(`${name} cannot be bundled: ${reason}`);
      problems.add(reason);
    },
  });
  const need = (file: string): Promise<FunctionError | undefined> | undefined => {
    const folder = dirname(file);
    const bundled = relative(dist, dirname(folder)) === "" ? queue.need(basename(folder)) : undefined;
    return bundled?.then((reason) =>
      reason === undefined ? undefined : { errorType: "Runtime.BundleError", errorMessage: reason },
    );
  };
  return {
    manifest: queue.manifest,
    need,
    ready: async () => {
      await Promise.all(neededToBeReady.map(queue.need));
      const [problem] = problems;
      if (problem !== undefined) throw new StartupError(problem);
      isReady = true;
    },
    isSettled: queue.isSettled,
    finished: queue.finished,
    stop: queue.stop,
  };
}
