import type { Readable } from "node:stream";
import { Worker } from "node:worker_threads";
import type { FunctionModel } from "../template/functions.ts";
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
};

export type Outcome =
  | { readonly ok: true; readonly payload: string }
  | { readonly ok: false; readonly error: FunctionError };

export type Call = {
  readonly requestId: string;
  readonly event: string;
  readonly sink: StreamSink | undefined;
  /** Aborted when the caller has left. */
  readonly signal: AbortSignal | undefined;
};

export type FunctionThread = {
  /** Settles once: when the bundle is loaded, or with what kept it from loading. */
  readonly loaded: Promise<FunctionError | undefined>;
  /** One at a time. A thread that timed out or crashed is dead afterwards. */
  readonly invoke: (call: Call) => Promise<Outcome>;
  readonly alive: () => boolean;
  readonly end: () => Promise<void>;
};

const initTimeoutMs = 10_000;

/**
 * The cache must be on before the first TypeScript file is read: with it, a thread takes the stripped code from the
 * cache, and does not load the stripper, which would double what it takes to start. An import of `node:http` asks for
 * all that it exports; behind `WebSocket` and its events Node loads an HTTP client that nothing here uses, which takes
 * a sixth of the time that a thread takes to start. On AWS the functions import `node:https` alone.
 */
const bootstrap = `
require("node:module").enableCompileCache(require("node:worker_threads").workerData.compileCache);
for (const name of ["WebSocket", "CloseEvent", "MessageEvent"])
  Object.defineProperty(require("node:http"), name, { value: undefined });
void import(${JSON.stringify(new URL("./thread.ts", import.meta.url).href)});
`;

/** Starts a thread that holds one instance of a function. */
export function startThread(
  model: FunctionModel,
  environment: Readonly<Record<string, string>>,
  aws: AwsAccess,
  compileCache: string,
  log: (output: Readable) => void,
  count: (spent: Spent) => void,
): FunctionThread {
  const { file, exportName, name, arn, memoryMb, timeoutMs, statements } = model;
  const workerData: ThreadData = {
    file,
    exportName,
    functionName: name,
    functionArn: arn,
    memoryMb,
    statements,
    aws,
    compileCache,
  };
  const worker = new Worker(bootstrap, {
    eval: true,
    workerData,
    env: { ...environment },
    stdout: true,
    stderr: true,
  });
  log(worker.stdout);
  log(worker.stderr);

  let alive = true;
  let sink: StreamSink | undefined;
  let settle: ((outcome: Outcome) => void) | undefined;
  const loading = Promise.withResolvers<FunctionError | undefined>();
  const tell = (message: ToThread): void => worker.postMessage(message);
  const finish = (outcome: Outcome): void => {
    settle?.(outcome);
    settle = undefined;
    sink = undefined;
  };
  const die = (error: FunctionError): void => {
    alive = false;
    loading.resolve(error);
    finish({ ok: false, error });
  };
  const kill = (error: FunctionError): void => {
    die(error);
    void worker.terminate();
  };

  const initTimer = setTimeout(
    () => kill({ errorType: "Init.Timeout", errorMessage: "Init timed out" }),
    initTimeoutMs,
  );
  worker.on("message", (message: FromThread) => {
    switch (message.kind) {
      case "ready":
        clearTimeout(initTimer);
        return loading.resolve(undefined);
      case "not-ready":
        clearTimeout(initTimer);
        return kill(message.error);
      case "head":
        return sink?.head(message.head);
      case "chunk":
        return sink?.chunk(message.chunk);
      case "result":
        count(message);
        return finish({ ok: true, payload: message.payload });
      case "error":
        return finish({ ok: false, error: message.error });
    }
  });
  worker.on("error", (error) => die({ errorType: "Runtime.ExitError", errorMessage: String(error) }));
  worker.on("exit", () => {
    clearTimeout(initTimer);
    die({ errorType: "Runtime.ExitError", errorMessage: "Runtime exited" });
  });

  const invoke = async (call: Call): Promise<Outcome> => {
    const answer = Promise.withResolvers<Outcome>();
    settle = answer.resolve;
    sink = call.sink;
    const deadlineMs = Date.now() + timeoutMs;
    const errorMessage = `${call.requestId} Task timed out after ${(timeoutMs / 1000).toFixed(2)} seconds`;
    const timer = setTimeout(() => kill({ errorType: "Sandbox.Timedout", errorMessage }), timeoutMs);
    const leave = (): void => tell({ kind: "caller-left" });
    call.signal?.addEventListener("abort", leave, { once: true });
    const { requestId, event } = call;
    tell({ kind: "invoke", requestId, event, deadlineMs, streaming: call.sink !== undefined });
    if (call.signal?.aborted) leave();
    try {
      return await answer.promise;
    } finally {
      clearTimeout(timer);
      call.signal?.removeEventListener("abort", leave);
    }
  };

  return {
    loaded: loading.promise,
    invoke,
    alive: () => alive,
    end: async () => {
      die({ errorType: "Runtime.ExitError", errorMessage: "Runtime exited" });
      await worker.terminate();
    },
  };
}
