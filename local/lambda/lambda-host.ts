import type { Readable } from "node:stream";
import type { AnswerAws } from "../aws/aws-http.ts";
import type { FunctionModel } from "../template/functions.ts";
import {
  type FunctionPool,
  functionPool,
  type Invocation,
  type PoolOptions,
  type StartThread,
} from "./function-pool.ts";
import type { AwsAccess, FunctionError, Spent } from "./messages.ts";
import { spareProcessor } from "./spare-processor.ts";
import { type Outcome, startThread } from "./start-thread.ts";

export type LambdaHost = {
  /** @returns undefined when the invocation had nothing left to do */
  readonly invoke: (model: FunctionModel, invocation: Invocation) => Promise<Outcome | undefined>;
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

const lookForIdleEveryMs = 1000;

export type HostOptions = {
  /** The whole environment of a function. */
  readonly environmentOf: (model: FunctionModel) => Record<string, string>;
  /** How the functions reach AWS. */
  readonly aws: AwsAccess;
  /** Answers what their threads do not pass on themselves. */
  readonly answerAws: AnswerAws;
  /** Folder for compiled code. */
  readonly compileCache: string;
  /** Takes what a function writes to its output. */
  readonly log: (model: FunctionModel, output: Readable) => void;
  /**
   * Has a function's module made when it is not there yet; undefined when it is.
   *
   * @returns what keeps it from being made
   */
  readonly bundled?: ((file: string) => Promise<FunctionError | undefined> | undefined) | undefined;
  /** Told what each invocation took, once it gave a result. */
  readonly count: (model: FunctionModel, spent: Spent) => void;
} & Pick<PoolOptions, "mostThreads" | "perThread" | "keptMs">;

/** Hosts functions as worker threads, each started when it is first needed. */
export function lambdaHost(models: readonly FunctionModel[], options: HostOptions): LambdaHost {
  const { environmentOf, aws, answerAws, compileCache, bundled, log, count } = options;
  const gate = { starting: 0, hasSpare: spareProcessor() };
  const starterOf =
    (model: FunctionModel, file: string): StartThread =>
    (unblocked) =>
      startThread({ ...model, file }, environmentOf(model), aws, compileCache, {
        answerAws,
        log: (output) => log(model, output),
        count: (spent) => count(model, spent),
        unblocked,
      });
  const pools = new Map<string, FunctionPool>(
    models.map((model) => [model.name, functionPool(starterOf(model, model.file), { ...options, gate })]),
  );
  const idleTimer = setInterval(() => {
    for (const pool of pools.values()) pool.endIdle();
  }, lookForIdleEveryMs);
  idleTimer.unref();
  const usedAt = new Map<string, number>();
  const replacements = new Set<string>();
  return {
    invoke: async (model, invocation) => {
      usedAt.set(model.name, Date.now());
      const pool = pools.get(model.name);
      if (!pool) throw new Error(`there is no function ${model.name}`);
      const bundling = replacements.has(model.file) ? undefined : bundled?.(model.file);
      const fault = bundling && (await bundling);
      // What replaced it meanwhile is loaded, and needs no bundle.
      if (fault && !replacements.has(model.file)) return { ok: false, error: fault };
      const outcome = await pool.invoke(invocation);
      if (!outcome?.ok || outcome.payload.length <= payloadLimitBytes) return outcome;
      const errorMessage = `Response payload size exceeded maximum allowed payload size (${payloadLimitBytes} bytes).`;
      return { ok: false, error: { errorType: "Function.ResponseSizeTooLarge", errorMessage } };
    },
    replace: async (file, by) => {
      const replaced = models.filter((model) => model.file === file);
      const faults = await Promise.all(
        replaced.map((model) => pools.get(model.name)?.replace(starterOf(model, by))),
      );
      const fault = faults.find((one) => one !== undefined);
      if (fault === undefined) replacements.add(file);
      return fault;
    },
    usedAt: (name) => usedAt.get(name) ?? 0,
    threads: (name) => pools.get(name)?.size() ?? 0,
    end: async () => {
      clearInterval(idleTimer);
      await Promise.all([...pools.values()].map((pool) => pool.end()));
    },
  };
}
