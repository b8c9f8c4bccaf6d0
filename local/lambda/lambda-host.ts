import { Readable } from "node:stream";
import type { AnswerAws } from "../aws/aws-http.ts";
import type { FunctionModel } from "../template/functions.ts";
import {
  type FunctionPool,
  functionPool,
  type Invocation,
  type PoolOptions,
  type StartThread,
} from "./function-pool.ts";
import type { LocalVersion, LocalVersions } from "./function-versions.ts";
import type { AwsAccess, FunctionError, Spent } from "./messages.ts";
import { spareProcessor } from "./spare-processor.ts";
import { INIT_MS, type Outcome, startThread } from "./start-thread.ts";
import type { Strict } from "./strict.ts";

export type LambdaHost = {
  /**
   * @param version  a published one; the live one when absent
   * @returns undefined when the invocation had nothing left to do
   */
  readonly invoke: (
    model: FunctionModel,
    invocation: Invocation,
    version?: string,
  ) => Promise<Outcome | undefined>;
  /** Invokes without a caller that waits. @returns the outcome of the last attempt; where Lambda is played strictly there are several */
  readonly invokeAsync: (
    model: FunctionModel,
    event: string,
    version?: string,
  ) => Promise<Outcome | undefined>;
  /** Settles once a function's module is there, or cannot be made; undefined where it is there. */
  readonly whenBundled: (model: FunctionModel) => Promise<unknown> | undefined;
  /** How strictly Lambda is played; undefined where it is not. */
  readonly strict: Strict | undefined;
  /** Whether a version can be invoked. */
  readonly hasVersion: (model: FunctionModel, version: string) => boolean;
  /** The versions of a published function, from the oldest to the newest. */
  readonly versions: (model: FunctionModel) => readonly LocalVersion[];
  /** The version that invocations without one get; undefined when it is not bundled yet, or the function is not published. */
  readonly liveVersion: (model: FunctionModel) => string | undefined;
  /** @returns whether there was such a version; what it executes ends with it */
  readonly deleteVersion: (model: FunctionModel, version: string) => boolean;
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

const tooLarge: FunctionError = {
  errorType: "Function.ResponseSizeTooLarge",
  errorMessage: `Response payload size exceeded maximum allowed payload size (${payloadLimitBytes} bytes).`,
};

const lookForIdleEveryMs = 1000;

export type HostOptions = {
  /** The whole environment of a function. */
  readonly environmentOf: (model: FunctionModel, version: string | undefined) => Record<string, string>;
  /** Holds what published functions ran before. */
  readonly versions: LocalVersions;
  /** How the functions reach AWS. */
  readonly aws: AwsAccess;
  /** Answers what their threads do not pass on themselves. */
  readonly answerAws: AnswerAws;
  /** Folder for compiled code. */
  readonly compileCache: string;
  /** How long a function may take to load outside of an invocation; as on Lambda when absent. */
  readonly initMs?: number | undefined;
  /** Takes what a function writes to its output, and what Lambda writes into its log. */
  readonly log: (model: FunctionModel, output: Readable) => void;
  /**
   * Has a function's module made when it is not there yet; undefined when it is.
   *
   * @returns what keeps it from being made
   */
  readonly bundled?: ((file: string) => Promise<FunctionError | undefined> | undefined) | undefined;
  /** Called with what each invocation took, once it gave a result. */
  readonly count: (model: FunctionModel, spent: Spent) => void;
  readonly strict?: Strict | undefined;
} & Pick<PoolOptions, "mostThreads" | "perThread" | "keptMs">;

/** How threads of a function are started with a module. @param environment  the whole of it, asked for at each start */
function starter(
  { aws, answerAws, compileCache, log, count, strict, initMs = INIT_MS }: HostOptions,
  model: FunctionModel,
  file: string,
  environment: () => Record<string, string>,
): StartThread {
  return (unblocked, phase) =>
    startThread({ ...model, file }, environment(), aws, compileCache, {
      answerAws,
      log: (output) => log(model, output),
      count: (spent) => count(model, spent),
      unblocked,
      freezes: strict !== undefined,
      phase,
      initMs,
    });
}

/** The line of a function's log for what Lambda alone knows: the answer says nothing of it. */
function failureLine(
  { label }: FunctionModel,
  message: string,
  { errorType, errorMessage, trace }: FunctionError,
  request_id?: string,
): string {
  const at = trace?.flatMap((line) => /^\s+at (.*)/.exec(line)?.[1] ?? []);
  const line = {
    level: "ERROR",
    message,
    timestamp: new Date().toISOString(),
    function_name: label,
    ...{ request_id, error_type: errorType, error_text: errorMessage, at },
  };
  return `${JSON.stringify(line)}\n`;
}

/** Hosts functions as worker threads, each started when it is first needed. */
export function lambdaHost(models: readonly FunctionModel[], options: HostOptions): LambdaHost {
  const { environmentOf, bundled, versions, strict } = options;
  const publish = (model: FunctionModel, file: string): string | undefined =>
    model.isPublished ? versions.publish(model.name, file) : undefined;
  const gate = { starting: 0, hasSpare: spareProcessor() };
  /** @param published  set for a version that is not the live one; the live one is published when it first runs */
  const starterOf = (model: FunctionModel, file: string, published?: string): StartThread =>
    starter(options, model, file, () => environmentOf(model, published ?? publish(model, file)));
  const logFailure = (model: FunctionModel, ...failure: Parameters<PoolOptions["failed"]>): void =>
    options.log(model, Readable.from(failureLine(model, ...failure)));
  const poolFrom = (model: FunctionModel, start: StartThread): FunctionPool =>
    functionPool(start, { ...options, gate, failed: (...failure) => logFailure(model, ...failure) });
  const pools = new Map<string, FunctionPool>(
    models.map((model) => [model.name, poolFrom(model, starterOf(model, model.file))]),
  );
  /** Of versions that are not the live one, by function and version; started when one is invoked. */
  const replacedPools = new Map<string, FunctionPool>();
  const poolOf = (model: FunctionModel, version: string | undefined): FunctionPool | undefined => {
    if (version === undefined || version === liveVersion(model)) return pools.get(model.name);
    const file = versions.fileOf(model.name, version);
    if (file === undefined) return undefined;
    const key = `${model.name}:${version}`;
    const pool = replacedPools.get(key) ?? poolFrom(model, starterOf(model, file, version));
    replacedPools.set(key, pool);
    return pool;
  };
  const liveVersion = (model: FunctionModel): string | undefined =>
    publish(model, live.get(model.name) ?? model.file);
  const idleTimer = setInterval(() => {
    for (const pool of [...pools.values(), ...replacedPools.values()]) pool.endIdle();
  }, lookForIdleEveryMs);
  idleTimer.unref();
  const usedAt = new Map<string, number>();
  /** The modules of functions that were replaced. */
  const live = new Map<string, string>();
  const replacements = new Set<string>();
  const invoke: LambdaHost["invoke"] = async (model, invocation, version) => {
    usedAt.set(model.name, Date.now());
    const pool = poolOf(model, version);
    if (!pool) throw new Error(`there is no function ${model.name}, or not this version of it`);
    const isBundled = version !== undefined || replacements.has(model.file);
    const bundling = isBundled ? undefined : bundled?.(model.file);
    const fault = bundling && (await bundling);
    // What replaced it meanwhile is loaded, and needs no bundle.
    if (fault && !replacements.has(model.file)) return { ok: false, error: fault };
    const outcome = await pool.invoke(invocation);
    if (!outcome?.ok || Buffer.byteLength(outcome.payload) <= payloadLimitBytes) return outcome;
    logFailure(model, "the invocation failed", tooLarge);
    return { ok: false, error: tooLarge };
  };
  return {
    invoke,
    whenBundled: ({ file }) => (replacements.has(file) ? undefined : bundled?.(file)),
    invokeAsync: (model, event, version) => invoke(model, { event: () => event }, version),
    strict,
    replace: async (file, by) => {
      const replaced = models.filter((model) => model.file === file);
      const faults = await Promise.all(
        replaced.map((model) => pools.get(model.name)?.replace(starterOf(model, by))),
      );
      const fault = faults.find((one) => one !== undefined);
      if (fault === undefined) {
        replacements.add(file);
        for (const { name } of replaced) live.set(name, by);
      }
      return fault;
    },
    hasVersion: (model, version) => poolOf(model, version) !== undefined,
    versions: ({ name }) => versions.list(name),
    liveVersion,
    deleteVersion: ({ name }, version) => versions.delete(name, version),
    usedAt: (name) => usedAt.get(name) ?? 0,
    threads: (name) => pools.get(name)?.size() ?? 0,
    end: async () => {
      clearInterval(idleTimer);
      await Promise.all([...pools.values(), ...replacedPools.values()].map((pool) => pool.end()));
    },
  };
}
