import { flushCompileCache } from "node:module";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import type { AnswerAws, AwsReply } from "../aws/aws-http.ts";
import { openAwsGate } from "./aws-gate.ts";
import { installAwslambda, ResponseStream, streamingMark } from "./awslambda.ts";
import { claim } from "./claims.ts";
import { freezer } from "./freezing.ts";
import type { FromThread, FunctionError, ThreadData, ToThread } from "./messages.ts";

/** The inside of one function instance: loads the bundle once, then serves invocations as they come. */

type Handler = ((...args: unknown[]) => unknown) & { [streamingMark]?: string };
type Invoke = Extract<ToThread, { kind: "invoke" }>;

const data: ThreadData = workerData;
const say = (message: FromThread): void => parentPort?.postMessage(message);
const freezing = data.given && freezer(data.given);
const openStreams = new Map<number, ResponseStream>();

installAwslambda();
const { functionName: name, statements } = data;
const awaited = new Map<number, (reply: AwsReply | undefined) => void>();
let asked = 0;
const ask: AnswerAws = (request) =>
  new Promise((resolve) => {
    const id = asked++;
    awaited.set(id, resolve);
    say({ kind: "aws", id, request });
  });
const gate = openAwsGate({ ...data.aws, caller: { name, statements }, ask });
// What a bundle asks for while it loads is answered before it can be invoked.
parentPort?.on("message", (message: ToThread) => {
  if (message.kind !== "aws-reply") return;
  awaited.get(message.id)?.(message.reply);
  awaited.delete(message.id);
});
try {
  const handler = await loadHandler();
  parentPort?.on("message", (message: ToThread) => {
    const { id } = message;
    if (message.kind === "aws-reply") return;
    if (message.kind === "timed-out") openStreams.get(id)?.destroy();
    else {
      freezing?.begin();
      const mine = claim(data.claims, id);
      if (!mine) say({ kind: "unblocked" });
      const done = mine
        ? Promise.resolve(freezing?.thawed()).then(() => invoke(handler, message))
        : undefined;
      void Promise.resolve(done)
        .catch((error) => say({ kind: "error", id, error: describe(error) }))
        .finally(() => freezing?.end());
    }
  });
  say({ kind: "ready" });
  flushCompileCache();
} catch (error) {
  say({ kind: "not-ready", error: describe(error) });
}

async function loadHandler(): Promise<Handler> {
  const module: Record<string, unknown> = await import(pathToFileURL(data.file).href);
  const handler = module[data.exportName];
  if (typeof handler !== "function") {
    throw new Error(`${data.file} exports no function named ${data.exportName}`);
  }
  const callable: Handler = (...args) => handler(...args);
  const mark: unknown = Reflect.get(handler, streamingMark);
  return typeof mark === "string" ? Object.assign(callable, { [streamingMark]: mark }) : callable;
}

async function invoke(handler: Handler, message: Invoke): Promise<void> {
  const { id } = message;
  const startedAt = performance.now();
  const cpuBefore = process.threadCpuUsage();
  const calls: Record<string, number> = {};
  const spent = () => {
    const { user, system } = process.threadCpuUsage(cpuBefore);
    return { ms: performance.now() - startedAt, cpuMs: (user + system) / 1000, calls };
  };
  const event: unknown = JSON.parse(message.event);
  const context = contextOf(message);
  if (!handler[streamingMark]) {
    const result = await gate.counting(calls, () => handler(event, context));
    return say({ kind: "result", id, payload: JSON.stringify(result) ?? "null", ...spent() });
  }
  const stream = new ResponseStream({
    head: (head) => say({ kind: "head", id, head }),
    chunk: (chunk) => say({ kind: "chunk", id, chunk }),
    end: () => say({ kind: "end", id }),
  });
  // A destroyed stream means that the invocation has timed out. Whoever writes on learns it from the stream.
  stream.on("error", () => {});
  openStreams.set(id, stream);
  try {
    await gate.counting(calls, () => handler(event, stream, context));
    if (!stream.writableEnded) stream.end();
    if (!stream.writableFinished && !stream.destroyed)
      await new Promise((resolve) => stream.once("close", resolve));
    say({ kind: "result", id, payload: "null", ...spent() });
  } finally {
    openStreams.delete(id);
  }
}

function contextOf({ requestId, deadlineMs }: Invoke): object {
  return {
    awsRequestId: requestId,
    callbackWaitsForEmptyEventLoop: true,
    functionName: data.functionName,
    functionVersion: "$LATEST",
    invokedFunctionArn: data.functionArn,
    memoryLimitInMB: String(data.memoryMb),
    logGroupName: `/aws/lambda/${data.functionName}`,
    logStreamName: "local",
    getRemainingTimeInMillis: () => Math.max(0, deadlineMs - Date.now()),
  };
}

function describe(error: unknown): FunctionError {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error) };
  return { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? "").split("\n") };
}
