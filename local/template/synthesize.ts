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
  { registry, manifest = readManifest(projectOf({ registry }).dist) }: Declared = {},
): Promise<readonly Stack[]> {
  const { put, fill } = placeholders(keys);
  const order = { context: put({ ...localContext, ...context }), outdir, registry, manifest };
  const key = { ...order.context, "agent-platform:registry": { registry, manifest } };
  return fill(await cachedSynthesis(key, () => make(order), { sources }));
}

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
