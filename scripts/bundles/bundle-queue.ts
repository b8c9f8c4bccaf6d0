import { type ChildProcess, fork } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { staleFunctions } from "../build.ts";
import type { BundlerReport } from "./bundler-process.ts";

export type BundleQueue = {
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

export type BundleQueueOptions = {
  /** Top of the project. */
  readonly root: string;
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

/**
 * Bundles the stale functions in a process of its own, one at a time, while the platform starts. The memory of the
 * bundler is free when that process ends. As in every build, one process builds at a time.
 */
export function bundleQueue(options: BundleQueueOptions): BundleQueue {
  const { root, first, onProgress = () => {}, onFailed = () => {} } = options;
  const stale = staleFunctions(root);
  if (stale.length === 0) {
    return { need: () => undefined, isSettled: () => true, finished: undefined, stop: () => {} };
  }

  // The templates name the folders, and are synthesized meanwhile.
  for (const name of stale) mkdirSync(join(root, "dist", name), { recursive: true });
  const entries = new Map<string, Entry>(
    stale.map((name) => {
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      return [name, { bundled: promise, settle: resolve }];
    }),
  );
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

  const bundler = fork(new URL("./bundler-process.ts", import.meta.url), [root, ...first], {
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  bundler.on("message", (message: BundlerReport) => {
    if (message.kind === "bundled") settle(message.name);
    else if (message.kind === "failed") settle(message.name, message.reason);
    // Another process has bundled the others meanwhile.
    else for (const name of stale) if (!message.stale.includes(name)) settle(name);
  });
  const settleRest = (reason: string): void => {
    for (const name of [...entries.keys()]) settle(name, reason);
  };
  const finished = ended(bundler).then((how) => settleRest(`the bundler ended before (${how})`));
  return {
    need: (name) => {
      const entry = entries.get(name);
      if (entry && !broken.has(name) && bundler.connected) bundler.send(name);
      return entry?.bundled;
    },
    isSettled: (name) => !entries.has(name) || broken.has(name),
    finished,
    stop: () => {
      stopped = true;
      settleRest("the platform stops");
      bundler.kill();
    },
  };
}

const ended = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(signal ?? `code ${code}`));
  });
