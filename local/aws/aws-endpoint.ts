import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { DynamoProxy } from "../dynamodb/dynamo-proxy.ts";
import { LOCAL_SECRET } from "../iam/access-keys.ts";
import type { TakeUse } from "../iam/grants-record.ts";
import { refusalOf } from "../iam/refusal.ts";
import type { AwsRequest } from "../iam/required-permissions.ts";
import type { LambdaHost } from "../lambda/lambda-host.ts";
import { type Listening, serveOnLoopback } from "../machine/listen-on-loopback.ts";
import { readPresigned } from "../s3/presigned.ts";
import { type S3, s3Fault } from "../s3/s3.ts";
import type { JsonAnswer, Vectors } from "../s3/vectors.ts";
import type { Scheduler } from "../scheduler/scheduler.ts";
import type { Sqs } from "../sqs/sqs.ts";
import { type FunctionModel, functionNamed } from "../template/functions.ts";
import type { AnswerAws, AwsHttpRequest, AwsReply } from "./aws-http.ts";
import { requestOf } from "./aws-request.ts";
import { readBody } from "./read-body.ts";
import type { Secrets } from "./secrets.ts";

/** One request of a function to an AWS service. */
export type AwsCall = AwsRequest & { readonly caller: FunctionModel };

/** What a test wants to happen to a call: no answer, an error, or the real answer after a delay. */
export type Fault =
  | "drop"
  | { readonly status: number; readonly type: string; readonly message?: string }
  | { readonly delayMs: number };
export type FaultHook = (call: AwsCall) => Fault | undefined;

export type Backends = {
  readonly functions: readonly FunctionModel[];
  readonly callerOf: (accessKey: string) => FunctionModel | undefined;
  readonly dynamo: DynamoProxy;
  readonly sqs: Sqs;
  readonly s3: S3;
  readonly vectors: Vectors;
  readonly secrets: Secrets;
  readonly scheduler: Scheduler;
  readonly lambda: LambdaHost;
  readonly fault: FaultHook;
  /** Told about every call that was let through. */
  readonly count: (call: AwsCall) => void;
  readonly use: TakeUse | undefined;
};

/** Answers requests to AWS, whichever way they come. */
export type AwsEndpoint = Listening & { readonly answer: AnswerAws };

/**
 * AWS for every function. It knows the caller by its access key, refuses what the caller's role does not allow, and
 * passes the rest on. A function's thread stands in for it where it can (`lambda/aws-gate.ts`), by the same rules, and
 * hands it the rest without a socket in between where it can.
 *
 * @param backends  asked for with every request, because the address is known before the backends are
 */
export async function startAwsEndpoint(backends: () => Backends): Promise<AwsEndpoint> {
  const answered: AnswerAws = async (request) => {
    try {
      return await answer(request, backends());
    } catch (error) {
      return refusal(500, "InternalServerError", String(error));
    }
  };
  const server = createServer({ keepAliveTimeout: 60_000 }, async (incoming, response) => {
    const { method = "", url = "", headers } = incoming;
    try {
      const reply = await answered({ method, url, headers, body: await readBody(incoming) });
      if (!reply) return void incoming.socket.destroy();
      const length = Buffer.byteLength(reply.body);
      response.writeHead(reply.status, { "content-length": length, ...reply.headers }).end(reply.body);
    } catch {
      response.destroy();
    }
  });
  return { ...(await serveOnLoopback(server)), answer: answered };
}

async function answer(request: AwsHttpRequest, backends: Backends): Promise<AwsReply | undefined> {
  const { method, url, headers, body } = request;
  const presigned = readPresigned(method, url, headers, LOCAL_SECRET, Date.now());
  if (presigned?.problem !== undefined) {
    return s3Fault(403, presigned.problem, "The address does not serve (any more).");
  }
  const accessKey =
    presigned?.accessKey ?? /Credential=([^/]+)\//.exec(headers.authorization ?? "")?.[1] ?? "";
  const caller = backends.callerOf(accessKey);
  if (!caller) return refusal(403, "UnrecognizedClientException", "The access key belongs to no function.");
  const asked = requestOf(request);
  const denied = refusalOf(caller, asked, backends.use);
  if (!asked || denied) return refusalFor(asked, 400, "AccessDeniedException", denied);
  const call = { ...asked, caller };
  const fault = backends.fault(call);
  if (fault === "drop") return undefined;
  if (fault && "delayMs" in fault) await pause(fault.delayMs);
  else if (fault) return refusalFor(call, fault.status, fault.type, fault.message);
  backends.count(call);
  if (call.service === "dynamodb") return backends.dynamo.forward(headers, body);
  if (call.service === "s3") return backends.s3.answer(call, headers, Buffer.from(body));
  if (call.service === "s3vectors") return jsonReply(await backends.vectors.answer(call));
  if (call.service === "secretsmanager") return jsonReply(await backends.secrets.answer(call));
  if (call.service === "scheduler") return schedulerReply(call, backends.scheduler);
  const text = Buffer.from(body).toString();
  if (call.service === "sqs") return backends.sqs.answer(String(headers["x-amz-target"]), text);
  return invokeReply(call, headers, text, backends);
}

function jsonReply({ status, type, body }: JsonAnswer): AwsReply {
  const headers = {
    "content-type": "application/json",
    ...(type !== undefined && { "x-amzn-errortype": type }),
  };
  return { status, headers, body: JSON.stringify(body) };
}

function schedulerReply(call: AwsCall, scheduler: Scheduler): AwsReply {
  const { status, fault, body } = scheduler.answer(call);
  return jsonReply({ status, body, ...(fault !== undefined && { type: fault }) });
}

async function invokeReply(
  call: AwsCall,
  headers: AwsHttpRequest["headers"],
  event: string,
  { functions, lambda }: Backends,
): Promise<AwsReply> {
  const target = functionNamed(functions, String(call.body.FunctionName));
  const outcome = lambda.invoke(target, { event: () => event || "{}" });
  if (headers["x-amz-invocation-type"] === "Event") return { status: 202, headers: {}, body: "" };
  const done = await outcome;
  const json = { "content-type": "application/json" };
  if (done?.ok) return { status: 200, headers: json, body: done.payload };
  return {
    status: 200,
    headers: { ...json, "x-amz-function-error": "Unhandled" },
    body: JSON.stringify(done?.error ?? null),
  };
}

/** A refusal in the form that the asked service answers in. */
function refusalFor(
  asked: AwsRequest | undefined,
  status: number,
  type: string,
  message = "refused",
): AwsReply {
  if (asked?.service !== "s3") return refusal(status, type, message);
  const isDenied = type === "AccessDeniedException";
  return isDenied ? s3Fault(403, "AccessDenied", message) : s3Fault(status, type, message);
}

/** An error in the form of AWS's JSON protocols; the header is for the REST ones. */
function refusal(status: number, type: string, message: string): AwsReply {
  return {
    status,
    headers: { "content-type": "application/x-amz-json-1.0", "x-amzn-errortype": type },
    body: JSON.stringify({ __type: `com.amazon.coral.service#${type}`, message, Message: message }),
  };
}
