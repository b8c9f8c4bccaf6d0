import { type ChildProcess, fork } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { RegistryManifest } from "../../shared/runtime/registry-manifest.ts";
import { type ProjectOptions, projectOf } from "../project/project.ts";
import { RegistryError } from "../registry/registry-error.ts";
import { freshness } from "./build.ts";
import type { BundlerReport } from "./bundler-process.ts";

export type BundleQueue = {
  /** What the registry declares. @throws RegistryError when it cannot be loaded or is refused */
  readonly manifest: Promise<RegistryManifest>;
  /**
   * Has a function bundled next, after earlier requests.
   *
   * @returns undefined when its bundle is there; else settles with the reason why it cannot be bundled, or with undefined
   */
  readonly need: (name: string) => Promise<string | undefined> | undefined;
  /** Whether a function's bundle is there, or known to be broken. */
  readonly isSettled: (name: string) => boolean;
  /** Settles when every function is bundled, or is known to be broken; undefined when all bundles were there. */
  readonly finished: Promise<void> | undefined;
  /** Stops bundling; what is not bundled yet is not. */
  readonly stop: () => void;
};

export type BundleQueueOptions = ProjectOptions & {
  /** Functions that are bundled before the others. */
  readonly first: readonly string[];
  /** Called with how many of the stale functions are bundled. */
  readonly onProgress?: (done: number, of: number) => void;
  /** Called once for each function that cannot be bundled. */
  readonly onFailed?: (name: string, reason: string) => void;
};

type Entry = {
  readonly settle: (reason: string | undefined) => void;
  readonly bundled: Promise<string | undefined>;
};

/** For the C library: memory that is free goes back at once. Else the bundler's process keeps 50 MB more. @source mallopt(3) */
const givesMemoryBack = { MALLOC_TRIM_THRESHOLD_: "131072", MALLOC_MMAP_THRESHOLD_: "131072" };

/**
 * Describes the registry and bundles the stale functions in a process of its own, one at a time, while the platform
 * starts. The memory of the bundler is free when that process ends. As in every build, one process builds at a time.
 */
export function bundleQueue(options: BundleQueueOptions): BundleQueue {
  const { first, onProgress = () => {}, onFailed = () => {} } = options;
  const project = projectOf(options);
  const { stale, manifest: known } = freshness(project, { linked: true });
  if (stale.length === 0 && known !== undefined) {
    const manifest = Promise.resolve(known);
    return { manifest, need: () => undefined, isSettled: () => true, finished: undefined, stop: () => {} };
  }

  // The templates name the folders, and are synthesized meanwhile.
  for (const name of stale) mkdirSync(join(project.dist, name), { recursive: true });
  const entries = new Map<string, Entry>(
    stale.map((name) => {
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      return [name, { bundled: promise, settle: resolve }];
    }),
  );
  const described = Promise.withResolvers<RegistryManifest>();
  // A caller that does not wait for it learns of it from the functions that cannot be bundled.
  described.promise.catch(() => {});
  if (known !== undefined) described.resolve(known);
  const broken = new Set<string>();
  let done = 0;
  let stopped = false;
  const settle = (name: string, reason?: string): void => {
    const entry = entries.get(name);
    if (!entry || broken.has(name)) return;
    entry.settle(reason);
    if (reason === undefined) {
      entries.delete(name);
      onProgress(++done, stale.length);
    } else {
      broken.add(name);
      if (!stopped) onFailed(name, reason);
    }
  };

  const bundler = fork(
    new URL("./bundler-process.ts", import.meta.url),
    [project.root, project.registry, ...first],
    {
      execArgv: ["--max-semi-space-size=4"],
      env: { ...givesMemoryBack, ...process.env },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    },
  );
  bundler.on("message", (message: BundlerReport) => {
    if (message.kind === "described") described.resolve(message.manifest);
    else if (message.kind === "given-up") giveUp(message.reason);
    else if (message.kind === "bundled") settle(message.name);
    else if (message.kind === "failed") settle(message.name, message.reason);
    // Another process has bundled the others meanwhile.
    else for (const name of stale) if (!message.stale.includes(name)) settle(name);
  });
  const giveUp = (reason: string): void => {
    described.reject(new RegistryError(reason));
    for (const name of [...entries.keys()]) settle(name, reason);
  };
  const finished = ended(bundler).then((how) => giveUp(`the bundler ended before (${how})`));
  return {
    manifest: described.promise,
    need: (name) => {
      const entry = entries.get(name);
      if (entry && !broken.has(name) && bundler.connected) bundler.send(name);
      return entry?.bundled;
    },
    isSettled: (name) => !entries.has(name) || broken.has(name),
    finished,
    stop: () => {
      stopped = true;
      giveUp("the platform stops");
      bundler.kill();
    },
  };
}

const ended = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(signal ?? `code ${code}`));
  });
