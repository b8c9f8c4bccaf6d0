import { mkdirSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { placeholders } from "./placeholders.ts";
import type { Stack } from "./stack.ts";
import { cachedSynthesis } from "./template-cache.ts";

/** What the thread is given. */
export type SynthesisOrder = {
  readonly context: Readonly<Record<string, unknown>>;
  readonly outdir: string;
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
): Promise<readonly Stack[]> {
  const { put, fill } = placeholders(keys);
  const order = { context: put({ ...localContext, ...context }), outdir };
  return fill(await cachedSynthesis(order.context, () => inThread(order)));
}

/** In a thread of its own: the CDK's 100 MB are gone when it ends, and the engines start meanwhile. */
async function inThread(order: SynthesisOrder): Promise<readonly Stack[]> {
  mkdirSync(order.outdir, { recursive: true });
  // The template validator costs 2 s and 270 MB; `npm run check` has it on.
  const env = { ...process.env, CDK_VALIDATION: "false" };
  const worker = new Worker(new URL("./synthesis-thread.ts", import.meta.url), { workerData: order, env });
  try {
    return await new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", () => reject(new Error("the CDK app ended without a template")));
    });
  } finally {
    await worker.terminate();
  }
}
