import type { Readable } from "node:stream";
import { Worker } from "node:worker_threads";
import type { AnswerAws } from "../aws/aws-http.ts";
import { isInspected, WHILE_INSPECTED_MS } from "../machine/inspected.ts";
import type { FunctionModel } from "../template/functions.ts";
import { newClaims, nextToBegin, takeBack } from "./claims.ts";
import { newGiven, thaw } from "./freezing.ts";
import type {
  AwsAccess,
  FromThread,
  FunctionError,
  Spent,
  StreamHead,
  ThreadData,
  ToThread,
} from "./messages.ts";

/** Takes a streamed answer. */
export type StreamSink = {
  readonly head: (head: StreamHead) => void;
  readonly chunk: (chunk: Uint8Array) => void;
  /** Called when the function has ended its answer, which may be long before it returns. */
  readonly end: () => void;
};

export type Outcome =
  | { readonly ok: true; readonly payload: string }
  | { readonly ok: false; readonly error: FunctionError };

export type Call = {
  readonly requestId: string;
  readonly event: string;
  readonly sink: StreamSink | undefined;
};

export type FunctionThread = {
  /** Settles once: when the bundle is loaded, or with what kept it from loading. */
  readonly loaded: Promise<FunctionError | undefined>;
  /** @returns "not begun" when the thread was blocked or died before it began with it; another thread may take it then */
  readonly invoke: (call: Call) => Promise<Outcome | "not begun">;
  /** Takes back what has waited so long for the thread to begin with it. @returns whether there was something */
  readonly takeBack: (waitedMs: number) => boolean;
  /** Whether it may be given invocations: it has not crashed, and none of its invocations has timed out. */
  readonly serves: () => boolean;
  readonly alive: () => boolean;
  readonly end: () => Promise<void>;
};

/** @source Lambda developer guide, execution environment lifecycle: the Init phase is limited to 10 seconds */
export const INIT_MS = isInspected() ? WHILE_INSPECTED_MS : 10_000;

/**
 * A start outside of any invocation has little time. One that fails then is made once more in an invocation, and has all the time that
 * this has.
 *
 * @source the same, failures during the Init phase
 */
export type StartPhase = "init" | "invoke";

/** Node's own 48 MB a thread are most of what threads hold under load, and nothing is faster with them. */
const youngGenerationMb = 6;

/**
 * The cache must be on before the first TypeScript file is read: with it, a thread takes the stripped code from the
 * cache, and does not load the stripper, which would double what it takes to start. An import of `node:http` asks for
 * all that it exports; behind `WebSocket` and its events Node loads an HTTP client that nothing here uses, which takes
 * a sixth of the time that a thread takes to start. Bundles do not import it (`build/bundles/node-modules.ts`); the
 * code of this host does.
 */
const bootstrap = `
require("node:module").enableCompileCache(require("node:worker_threads").workerData.compileCache);
for (const name of ["WebSocket", "CloseEvent", "MessageEvent"])
  Object.defineProperty(require("node:http"), name, { value: undefined });
void import(${JSON.stringify(new URL("./thread.ts", import.meta.url).href)});
`;

/** What a thread needs of its host. */
export type ThreadHost = {
  /** Answers its calls to AWS, as far as it does not pass them on itself. */
  readonly answerAws: AnswerAws;
  readonly log: (output: Readable) => void;
  readonly count: (spent: Spent) => void;
  /** Called when the thread goes on after it was blocked. */
  readonly unblocked: () => void;
  /** Whether it stands still between invocations, as on Lambda. */
  readonly freezes: boolean;
  readonly phase: StartPhase;
  /** How long it may take to load in the phase `init`. */
  readonly initMs: number;
};

type Pending = {
  readonly postedAt: number;
  readonly sink: StreamSink | undefined;
  readonly settle: (outcome: Outcome | "not begun") => void;
};

const exited: FunctionError = { errorType: "Runtime.ExitError", errorMessage: "Runtime exited" };
const initTimedOut: FunctionError = { errorType: "Init.Timeout", errorMessage: "Init timed out" };
const timedOut = (timeoutMs: number, prefix = ""): FunctionError => ({
  errorType: "Sandbox.Timedout",
  errorMessage: `${prefix}Task timed out after ${(timeoutMs / 1000).toFixed(2)} seconds`,
});

const threadData = (
  { file, exportName, name, arn, memoryMb, statements }: FunctionModel,
  aws: AwsAccess,
  compileCache: string,
  freezes: boolean,
): ThreadData => ({
  file,
  exportName,
  functionName: name,
  functionArn: arn,
  memoryMb,
  statements,
  aws,
  claims: newClaims(),
  given: freezes ? newGiven() : undefined,
  compileCache,
});

/**
 * Starts a thread that holds one instance of a function, and serves any number of invocations at a time.
 *
 * Lambda ends an instance when an invocation times out. Here others may be under way in it, which have time left: it
 * gets no more of them, and ends when the last of those has ended.
 */
export function startThread(
  model: FunctionModel,
  environment: Readonly<Record<string, string>>,
  aws: AwsAccess,
  compileCache: string,
  { answerAws, log, count, unblocked, freezes, phase, initMs }: ThreadHost,
): FunctionThread {
  const { timeoutMs } = model;
  const workerData = threadData(model, aws, compileCache, freezes);
  const { claims } = workerData;
  const worker = new Worker(bootstrap, {
    eval: true,
    workerData,
    env: { ...environment },
    stdout: true,
    stderr: true,
    resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
  });
  log(worker.stdout);
  log(worker.stderr);

  let alive = true;
  let retired = false;
  let posted = 0;
  const pending = new Map<number, Pending>();
  const loading = Promise.withResolvers<FunctionError | undefined>();
  const post = (message: ToThread): void => worker.postMessage(message);
  const settle = (id: number, outcome: Outcome | "not begun"): void => {
    pending.get(id)?.settle(outcome);
    pending.delete(id);
  };
  const settleNotBegun = (): void => {
    for (let id = takeBack(claims, posted); id < posted; id++) settle(id, "not begun");
  };
  const die = (error: FunctionError): void => {
    alive = false;
    loading.resolve(error);
    settleNotBegun();
    for (const id of [...pending.keys()]) settle(id, { ok: false, error });
  };
  const kill = (error: FunctionError): void => {
    die(error);
    void worker.terminate();
  };
  const retire = (id: number, error: FunctionError): void => {
    retired = true;
    // Whoever writes on to its stream learns that it has no reader.
    post({ kind: "timed-out", id });
    settle(id, { ok: false, error });
    settleNotBegun();
  };

  const initTimer =
    phase === "init"
      ? setTimeout(() => kill(initTimedOut), initMs)
      : setTimeout(() => kill(timedOut(timeoutMs)), timeoutMs);
  worker.on("message", (message: FromThread) => {
    switch (message.kind) {
      case "ready":
        clearTimeout(initTimer);
        return loading.resolve(undefined);
      case "not-ready":
        clearTimeout(initTimer);
        return kill(message.error);
      case "unblocked":
        return unblocked();
      case "aws": {
        const { id, request } = message;
        return void answerAws(request).then((reply) => post({ kind: "aws-reply", id, reply }));
      }
      case "head":
        return pending.get(message.id)?.sink?.head(message.head);
      case "chunk":
        return pending.get(message.id)?.sink?.chunk(message.chunk);
      case "end":
        return pending.get(message.id)?.sink?.end();
      case "result":
        count(message);
        return settle(message.id, { ok: true, payload: message.payload });
      case "error":
        return settle(message.id, { ok: false, error: message.error });
    }
  });
  worker.on("error", (error) => die({ errorType: "Runtime.ExitError", errorMessage: String(error) }));
  worker.on("exit", () => {
    clearTimeout(initTimer);
    die(exited);
  });

  const invoke = async ({ requestId, event, sink }: Call): Promise<Outcome | "not begun"> => {
    if (!alive || retired) return "not begun";
    const id = posted++;
    const answer = Promise.withResolvers<Outcome | "not begun">();
    const deadlineMs = Date.now() + timeoutMs;
    pending.set(id, { postedAt: Date.now(), sink, settle: answer.resolve });
    const timer = setTimeout(() => retire(id, timedOut(timeoutMs, `${requestId} `)), timeoutMs);
    post({ kind: "invoke", id, requestId, event, deadlineMs, streaming: sink !== undefined });
    thaw(workerData.given);
    try {
      return await answer.promise;
    } finally {
      clearTimeout(timer);
      if (retired && alive && pending.size === 0) kill(exited);
    }
  };

  return {
    loaded: loading.promise,
    invoke,
    takeBack: (waitedMs) => {
      const oldest = pending.get(nextToBegin(claims));
      if (!oldest || Date.now() - oldest.postedAt < waitedMs) return false;
      const before = pending.size;
      settleNotBegun();
      return pending.size < before;
    },
    serves: () => alive && !retired,
    alive: () => alive,
    end: async () => {
      die(exited);
      await worker.terminate();
    },
  };
}
