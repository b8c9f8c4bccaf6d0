import { mkdirSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { RegistryManifest } from "../../shared/runtime/registry-manifest.ts";
import type { Stack } from "./stack.ts";

/** What the thread is given. */
export type SynthesisOrder = {
  readonly context: Readonly<Record<string, unknown>>;
  readonly outdir: string;
  /** See `BuildAppOptions`. */
  readonly registry?: string | undefined;
  readonly manifest?: RegistryManifest | undefined;
};

export type SynthesisThread = {
  /**
   * Has an app synthesized. One at a time.
   *
   * @throws what the app throws; the thread has ended then
   */
  readonly synthesize: (order: SynthesisOrder) => Promise<readonly Stack[]>;
  readonly end: () => Promise<void>;
};

/** A thread for the CDK, which takes a second of the processor and 100 MB: meanwhile this thread does something else. */
export function startSynthesisThread(): SynthesisThread {
  // The template validator costs 2 s and 270 MB; `npm run check` has it on.
  const env = { ...process.env, CDK_VALIDATION: "false" };
  const worker = new Worker(new URL("./synthesis-thread.ts", import.meta.url), { env });
  return {
    synthesize: async (order) => {
      mkdirSync(order.outdir, { recursive: true });
      const made = Promise.withResolvers<readonly Stack[]>();
      const endedEarly = () => made.reject(new Error("the CDK app ended without a template"));
      worker.ref();
      worker.once("message", made.resolve).once("error", made.reject).once("exit", endedEarly);
      worker.postMessage(order);
      try {
        return await made.promise;
      } finally {
        worker.off("message", made.resolve).off("error", made.reject).off("exit", endedEarly);
        // A thread that waits for an order keeps no process from ending.
        worker.unref();
      }
    },
    end: async () => {
      await worker.terminate();
    },
  };
}
