import { type ChildProcess, spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { serveOnLoopback } from "../../local/machine/listen-on-loopback.ts";

/** How an invocation ended. */
export type Ended =
  | { readonly end: "answered"; readonly answer: string }
  /** The function threw, and goes on. */
  | { readonly end: "failed"; readonly error: string }
  | { readonly end: "died"; readonly error: string }
  | { readonly end: "late" };

/** A function in a process of its own, under AWS's client of the runtime interface. */
export type RunningFunction = {
  readonly invoke: (event: unknown) => Promise<Ended>;
  readonly stop: () => Promise<void>;
};

type Waiting = { readonly id: string; readonly body: string; readonly end: (ended: Ended) => void };

const INVOCATION_MS = 30_000;
const STARTING_MS = 20_000;

export type FunctionToRun = {
  readonly name: string;
  readonly handler: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly memoryMb: number;
};

/**
 * Starts a function with what Lambda's service offers it: the runtime interface, from which its client fetches invocations.
 *
 * @param client  module of `aws-lambda-ric`
 * @source Lambda developer guide, "Using the Lambda runtime API"
 */
export async function runFunction(client: string, fn: FunctionToRun): Promise<RunningFunction> {
  const waiting: Waiting[] = [];
  const underWay = new Map<string, Waiting>();
  let parked: ServerResponse | undefined;
  let count = 0;

  const hand = (): void => {
    const [next] = waiting;
    if (!parked || !next) return;
    waiting.shift();
    underWay.set(next.id, next);
    const headers = {
      "content-type": "application/json",
      // Without it the client crashes.
      "lambda-runtime-trace-id": "Root=1-674305a0-000000000000000000000000;Parent=0000000000000000;Sampled=0",
      "lambda-runtime-aws-request-id": next.id,
      "lambda-runtime-deadline-ms": String(Date.now() + INVOCATION_MS),
      "lambda-runtime-invoked-function-arn": `arn:aws:lambda:eu-west-1:123456789012:function:${fn.name}`,
    };
    parked.writeHead(200, headers).end(next.body);
    parked = undefined;
  };
  const endAll = (error: string): void => {
    for (const one of [...underWay.values(), ...waiting.splice(0)]) one.end({ end: "died", error });
    underWay.clear();
  };
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = incoming.url ?? "";
    if (path.endsWith("/invocation/next")) {
      parked = response;
      return hand();
    }
    const text = (await buffer(incoming)).toString();
    response.writeHead(202, { "content-type": "application/json" }).end("{}");
    if (path.endsWith("/init/error")) return endAll(text);
    const [, id = "", end] = /invocation\/([^/]+)\/(response|error)$/.exec(path) ?? [];
    underWay
      .get(id)
      ?.end(end === "response" ? { end: "answered", answer: text } : { end: "failed", error: text });
    underWay.delete(id);
  };
  const api = await serveOnLoopback(createServer((incoming, response) => void serve(incoming, response)));
  const child = start(client, fn, api.address.replace("http://", ""));
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      output = `${output}${chunk}`.slice(-2_000);
    });
  const closed = new Promise<void>((resolve) =>
    child.once("close", () => {
      endAll(output);
      resolve();
    }),
  );
  return {
    async invoke(event) {
      if (child.exitCode !== null) return { end: "died", error: output };
      count += 1;
      const id = `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`;
      const body = JSON.stringify(event) ?? "";
      const { promise, resolve } = Promise.withResolvers<Ended>();
      const late = setTimeout(
        () => resolve({ end: "late" }),
        INVOCATION_MS + (count === 1 ? STARTING_MS : 0),
      );
      waiting.push({ id, body, end: resolve });
      hand();
      return promise.finally(() => clearTimeout(late));
    },
    async stop() {
      child.kill("SIGKILL");
      await closed;
      await api.stop();
    },
  };
}

function start(client: string, fn: FunctionToRun, api: string): ChildProcess {
  return spawn(process.execPath, [client, fn.handler], {
    cwd: fn.folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      AWS_LAMBDA_RUNTIME_API: api,
      AWS_LAMBDA_FUNCTION_NAME: fn.name,
      AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(fn.memoryMb),
      AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${fn.name}`,
      AWS_LAMBDA_LOG_STREAM_NAME: "rehearsal",
      LAMBDA_TASK_ROOT: fn.folder,
      _HANDLER: fn.handler,
      AWS_REGION: "eu-west-1",
      AWS_ACCESS_KEY_ID: "LOCAL",
      AWS_SECRET_ACCESS_KEY: "local",
      ...fn.environment,
    },
  });
}
