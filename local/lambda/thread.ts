import { flushCompileCache } from "node:module";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { startAwsGate } from "./aws-gate.ts";
import { installAwslambda, ResponseStream, streamingMark } from "./awslambda.ts";
import type { FromThread, FunctionError, ThreadData, ToThread } from "./messages.ts";

/** The inside of one function instance: loads the bundle once, then serves one invocation after the other. */

type Handler = ((...args: unknown[]) => unknown) & { [streamingMark]?: string };
type Invoke = Extract<ToThread, { kind: "invoke" }>;

const data: ThreadData = workerData;
const say = (message: FromThread): void => parentPort?.postMessage(message);
let openStream: ResponseStream | undefined;

installAwslambda();
const { functionName: name, statements } = data;
const gate = await startAwsGate({ ...data.aws, caller: { name, statements } });
process.env.AWS_ENDPOINT_URL = gate.address;
try {
  const handler = await loadHandler();
  parentPort?.on("message", (message: ToThread) => {
    if (message.kind === "caller-left") openStream?.destroy();
    else void invoke(handler, message).catch((error) => say({ kind: "error", error: describe(error) }));
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
  const startedAt = performance.now();
  const cpuBefore = process.threadCpuUsage();
  const spent = () => {
    const { user, system } = process.threadCpuUsage(cpuBefore);
    return { ms: performance.now() - startedAt, cpuMs: (user + system) / 1000, calls: gate.takeCalls() };
  };
  const event: unknown = JSON.parse(message.event);
  const context = contextOf(message);
  if (!handler[streamingMark]) {
    const result = await handler(event, context);
    return say({ kind: "result", payload: JSON.stringify(result) ?? "null", ...spent() });
  }
  const stream = new ResponseStream({
    head: (head) => say({ kind: "head", head }),
    chunk: (chunk) => say({ kind: "chunk", chunk }),
  });
  // A destroyed stream means that the caller left. Whoever writes on learns it from the stream.
  stream.on("error", () => {});
  openStream = stream;
  try {
    await handler(event, stream, context);
    if (!stream.writableEnded) stream.end();
    if (!stream.writableFinished && !stream.destroyed)
      await new Promise((resolve) => stream.once("close", resolve));
    say({ kind: "result", payload: "null", ...spent() });
  } finally {
    openStream = undefined;
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
