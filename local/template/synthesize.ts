import { resolve } from "node:path";
import { type ProjectOptions, projectOf, readManifest } from "../../build/index.ts";
import { inOrder } from "../../shared/runtime/promises.ts";
import type { RegistryManifest } from "../../shared/runtime/registry-manifest.ts";
import { placeholders } from "./placeholders.ts";
import type { Stack } from "./stack.ts";
import { type SynthesisOrder, type SynthesisThread, startSynthesisThread } from "./start-synthesis-thread.ts";
import { cachedSynthesis, sourcesDigest } from "./template-cache.ts";

/** Makes templates that are not in the cache. */
export type Synthesizer = {
  /** Digest of the sources, as they are when it is asked for. */
  readonly sources: () => Promise<string>;
  readonly synthesize: (order: SynthesisOrder) => Promise<readonly Stack[]>;
};

/** The registry that the functions have, and what it declares; as the build has described it when absent. */
export type Declared = Pick<ProjectOptions, "registry"> & {
  readonly manifest?: RegistryManifest | undefined;
  /** Folder that keeps what was made; a cache of this machine when absent. */
  readonly folder?: string;
  /** Folder with templates that were made ahead; those of the package when absent. */
  readonly brought?: string;
};

/** Functions run from where they are built, without a copy of them, and may be bundled after the template is made. */
const localContext = {
  "aws:cdk:enable-asset-metadata": true,
  "aws:cdk:disable-asset-staging": true,
  "agent-platform:bundledLater": true,
};

/**
 * Synthesizes the CDK app.
 *
 * @param context  the app's context values
 * @param outdir   folder for the cloud assembly
 * @param keys     parts of the context that are different for each identity provider; templates are cached without them
 */
export async function synthesize(
  context: Readonly<Record<string, unknown>>,
  outdir: string,
  keys: readonly string[] = [],
  { sources, synthesize: make }: Synthesizer = coldSynthesizer,
  { registry, manifest = readManifest(projectOf({ registry }).dist), ...cache }: Declared = {},
): Promise<readonly Stack[]> {
  const { put, fill } = placeholders(keys);
  const order = { context: put({ ...localContext, ...context }), outdir, registry, manifest };
  // Of the registry a template has the rights and secrets of its tools, and where the functions are.
  const key = { ...order.context, "agent-platform:needs": manifest?.needs ?? null };
  const places = namedFolders({ DIST: projectOf({ registry }).dist, OUT: resolve(outdir) });
  const made = async () => places.leave(await make(order));
  return fill(places.enter(await cachedSynthesis(key, made, { sources, ...cache })));
}

/** Lets templates be made once for folders that are others in each project. */
function namedFolders(folders: Readonly<Record<string, string>>) {
  const pairs = Object.entries(folders).map(([name, path]) => [`/{{${name}}}`, inJson(path)] as const);
  const replaced = (stacks: readonly Stack[], by: (text: string) => string): readonly Stack[] =>
    JSON.parse(by(JSON.stringify(stacks)));
  return {
    leave: (stacks: readonly Stack[]) =>
      replaced(stacks, (text) => pairs.reduce((done, [name, path]) => done.replaceAll(path, name), text)),
    enter: (stacks: readonly Stack[]) =>
      replaced(stacks, (text) =>
        pairs.reduce((done, [name, path]) => done.replaceAll(name, () => path), text),
      ),
  };
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Takes a thread for each synthesis: the CDK's 100 MB are gone when it ends. */
export const coldSynthesizer: Synthesizer = {
  sources: sourcesDigest,
  synthesize: async (order) => {
    const thread = startSynthesisThread();
    try {
      return await thread.synthesize(order);
    } finally {
      await thread.end();
    }
  },
};

/**
 * For a process that needs many templates of sources that do not change while it lives: it reads the sources once, and
 * keeps a thread in which the CDK is loaded and its code compiled, which makes a template in a quarter of the processor
 * time. The thread ends with the process.
 */
export function warmSynthesizer(): Synthesizer {
  let digest: Promise<string> | undefined;
  let thread: SynthesisThread | undefined;
  const next = inOrder();
  const synthesizeNext = async (order: SynthesisOrder): Promise<readonly Stack[]> => {
    thread ??= startSynthesisThread();
    try {
      return await thread.synthesize(order);
    } catch (error) {
      thread = undefined;
      throw error;
    }
  };
  return {
    sources: () => {
      digest ??= sourcesDigest();
      return digest;
    },
    synthesize: (order) => next(() => synthesizeNext(order)),
  };
}
