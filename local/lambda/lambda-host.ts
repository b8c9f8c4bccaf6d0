import type { Readable } from "node:stream";
import type { FunctionModel } from "../template/functions.ts";
import { type FunctionPool, functionPool, type Invocation, type StartGate } from "./function-pool.ts";
import type { AwsAccess, FunctionError, Spent } from "./messages.ts";
import { spareProcessor } from "./spare-processor.ts";
import { type Outcome, startThread } from "./start-thread.ts";

export type LambdaHost = {
  /** @returns undefined when the invocation had nothing left to do */
  readonly invoke: (model: FunctionModel, invocation: Invocation) => Promise<Outcome | undefined>;
  /** Starts one thread per function, one after the other, so that they do not slow down the first requests. */
  readonly prewarm: () => Promise<void>;
  /**
   * Lets the functions of a module run another one from now on, and what they execute end with the old.
   *
   * @param file  the module that the template names
   * @returns what keeps the new one from loading; then they go on with the old
   */
  readonly replace: (file: string, by: string) => Promise<FunctionError | undefined>;
  /** When a function was last invoked, in epoch milliseconds; 0 for never. */
  readonly usedAt: (name: string) => number;
  /** Threads of a function that are alive now. */
  readonly threads: (name: string) => number;
  readonly end: () => Promise<void>;
};

/** Payload of one invocation or answer. @source Lambda quotas: 6 MB, synchronous */
export const payloadLimitBytes = 6 * 1024 * 1024;

/**
 * Hosts functions as worker threads.
 *
 * @param environmentOf  the whole environment of a function
 * @param aws            how the functions reach AWS
 * @param compileCache   folder for compiled code
 * @param log            takes what a function writes to its output
 * @param count          told what each invocation took, once it gave a result
 * @param most           threads per function
 */
export function lambdaHost(
  models: readonly FunctionModel[],
  environmentOf: (model: FunctionModel) => Record<string, string>,
  aws: AwsAccess,
  compileCache: string,
  log: (model: FunctionModel, output: Readable) => void,
  count: (model: FunctionModel, spent: Spent) => void,
  most: number,
): LambdaHost {
  const gate: StartGate = { starting: 0, hasSpare: spareProcessor() };
  const starterOf = (model: FunctionModel, file: string) => () =>
    startThread(
      { ...model, file },
      environmentOf(model),
      aws,
      compileCache,
      (output) => log(model, output),
      (spent) => count(model, spent),
    );
  const pools = new Map<string, FunctionPool>(
    models.map((model) => [model.name, functionPool(starterOf(model, model.file), most, gate)]),
  );
  const usedAt = new Map<string, number>();
  return {
    invoke: async (model, invocation) => {
      usedAt.set(model.name, Date.now());
      const pool = pools.get(model.name);
      if (!pool) throw new Error(`there is no function ${model.name}`);
      const outcome = await pool.invoke(invocation);
      if (!outcome?.ok || outcome.payload.length <= payloadLimitBytes) return outcome;
      const errorMessage = `Response payload size exceeded maximum allowed payload size (${payloadLimitBytes} bytes).`;
      return { ok: false, error: { errorType: "Function.ResponseSizeTooLarge", errorMessage } };
    },
    prewarm: async () => {
      for (const pool of pools.values()) await pool.prewarm();
    },
    replace: async (file, by) => {
      const replaced = models.filter((model) => model.file === file);
      const faults = await Promise.all(
        replaced.map((model) => pools.get(model.name)?.replace(starterOf(model, by))),
      );
      return faults.find((fault) => fault !== undefined);
    },
    usedAt: (name) => usedAt.get(name) ?? 0,
    threads: (name) => pools.get(name)?.size() ?? 0,
    end: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.end()));
    },
  };
}
