import { dirname, join } from "node:path";
import type { Project } from "../../build/index.ts";
import type { RegistryManifest } from "../../shared/runtime/registry-manifest.ts";
import type { Bundles } from "../bundles.ts";
import { devBundles } from "../cache-folders.ts";
import type { Cloud } from "../cloud.ts";
import type { Stack } from "../template/stack.ts";
import { functionReloader, type Reloaded } from "./function-reloader.ts";
import { newSecrets } from "./new-secrets.ts";
import { repeatedProblems } from "./repeated-problems.ts";
import { watchFolders } from "./watch-folders.ts";

export type HotReloadOptions = {
  /** The sources that are watched. */
  readonly edited: Project;
  /** Folder with the bundles that the cloud was started from. */
  readonly dist: string;
  /** Those that are still being made when the cloud has started. */
  readonly bundles: Pick<Bundles, "isSettled" | "finished" | "manifest">;
  readonly cloud: Pick<Cloud, "lambda" | "model">;
  /** The templates that the cloud was started from. */
  readonly running: readonly Stack[];
  /** Synthesizes the templates as the sources are now, for a registry that declares this. */
  readonly synthesize: (manifest: RegistryManifest) => Promise<readonly Stack[]>;
  readonly say: (line: string) => void;
};

const watched = ["functions", "shared", "console", "client", "lib", "bin"];

/**
 * Keeps a running cloud in step with its sources: functions are reloaded; what needs another template is said, since
 * tables, routes and rights are made at start.
 *
 * @returns stop
 */
export function hotReload(options: HotReloadOptions): () => void {
  const { edited, dist, bundles, running, synthesize, say } = options;
  const { lambda, model } = options.cloud;
  const templateFile = (name: string): string => join(dist, name, "index.mjs");
  const { reload, folders } = functionReloader({
    project: edited,
    outdir: devBundles(edited.home),
    isSettled: bundles.isSettled,
    replace: (name, file) => lambda.replace(templateFile(name), file),
    usedAt: (name) =>
      Math.max(
        0,
        ...model.functions
          .filter((one) => one.file === templateFile(name))
          .map((one) => lambda.usedAt(one.name)),
      ),
  });
  const started = fingerprint(running);
  let reported = started;

  let declared: RegistryManifest | undefined;
  const compare = async (): Promise<void> => {
    const now = fingerprint(await synthesize(declared ?? (await bundles.manifest)));
    if (now !== started && now !== reported) {
      say(
        "the template has changed (routes, tables, settings or rights): stop and start again to take it up",
      );
    }
    reported = now;
  };
  // Beside: the next change is not to wait for a synthesis, which may take longer than a reload.
  const compareTemplates = oneAfterTheOther(compare, say);

  let missed: string | undefined;
  const lookForSecrets = async (now: RegistryManifest | undefined): Promise<void> => {
    if (now === undefined) return;
    const text = newSecrets(await bundles.manifest, now);
    if (text !== undefined && text !== missed) say(text);
    missed = text;
  };

  const isRepeated = repeatedProblems();
  const once = async (): Promise<void> => {
    const startedAt = performance.now();
    declared = await reload((reloaded) => {
      const now = performance.now();
      if (!isRepeated(reloaded, now)) say(sentence(reloaded, now - startedAt));
    });
    await lookForSecrets(declared);
    // It may import from other folders now.
    follow();
    compareTemplates();
  };

  const changed = oneAfterTheOther(once, say);
  const sources = [...watched, dirname(edited.registry)];
  const { follow, stop: unwatch } = watchFolders(edited.root, sources, changed, folders);
  // What was saved while the cloud started.
  changed();
  let stopped = false;
  // What was saved after a function was bundled and before all were.
  void bundles.finished?.then(() => stopped || changed());
  return () => {
    stopped = true;
    unwatch();
  };
}

/** Runs a task when it is asked for, never twice at once, and again when it was asked for meanwhile. */
function oneAfterTheOther(task: () => Promise<void>, say: (line: string) => void): () => void {
  let wanted = false;
  let busy = false;
  const run = async (): Promise<void> => {
    wanted = true;
    if (busy) return;
    busy = true;
    while (wanted) {
      wanted = false;
      await task().catch((error: unknown) => say(`not reloaded: ${error}`));
    }
    busy = false;
  };
  return () => void run();
}

function sentence({ functions, problems }: Reloaded, afterMs: number): string {
  const time = `${(afterMs / 1000).toFixed(1)} s`;
  const done = functions.length > 0 ? [`reloaded after ${time}: ${functions.join(", ")}`] : [];
  return [
    ...done,
    ...problems.map((problem) => `not reloaded, the code from before goes on: ${problem}`),
  ].join("\n");
}

/**
 * Without the digests of bundles, which change with every build, and without the folder of the assembly: templates from the
 * cache name that of the start for which they were made.
 */
const fingerprint = (stacks: readonly Stack[]): string =>
  JSON.stringify(stacks.map(({ name, template }) => ({ name, template }))).replace(/[0-9a-f]{64}/g, "");
