import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { DynamoProxy } from "../dynamodb/dynamo-proxy.ts";
import { LOCAL_SECRET } from "../iam/access-keys.ts";
import type { TakeUse } from "../iam/grants-record.ts";
import { refusalOf } from "../iam/refusal.ts";
import type { AwsRequest } from "../iam/required-permissions.ts";
import type { LambdaHost } from "../lambda/lambda-host.ts";
import { type Listening, serveOnLoopback } from "../machine/listen-on-loopback.ts";
import { readPresigned } from "../s3/presigned.ts";
import { type S3, type S3Answer, s3Fault } from "../s3/s3.ts";
import type { JsonAnswer, Vectors } from "../s3/vectors.ts";
import type { Scheduler } from "../scheduler/scheduler.ts";
import type { Sqs } from "../sqs/sqs.ts";
import { type FunctionModel, functionNamed } from "../template/functions.ts";
import { requestOf } from "./aws-request.ts";
import { readBody } from "./read-body.ts";
import type { Secrets } from "./secrets.ts";

/** One request of a function to an AWS service. */
export type AwsCall = AwsRequest & { readonly caller: FunctionModel };

/** What a test wants to happen to a call instead of the real thing. */
export type Fault = "drop" | { readonly status: number; readonly type: string; readonly message?: string };
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

/**
 * AWS for every function. It knows the caller by its access key, refuses what the caller's role does not allow, and
 * passes the rest on. A function's thread stands in for it where it can (`lambda/aws-gate.ts`), by the same rules.
 *
 * @param backends  asked for with every request, because the address is known before the backends are
 */
export async function startAwsEndpoint(backends: () => Backends): Promise<Listening> {
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    void readBody(incoming)
      .then((body) => answer(incoming, body, response, backends()))
      .catch((error) => refuse(response, 500, "InternalServerError", String(error)));
  });
  return serveOnLoopback(server);
}

async function answer(
  incoming: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  backends: Backends,
): Promise<void> {
  const { method = "", url = "", headers } = incoming;
  const presigned = readPresigned(method, url, headers, LOCAL_SECRET, Date.now());
  if (presigned?.problem !== undefined) {
    return answerS3(response, s3Fault(403, presigned.problem, "The address does not serve (any more)."));
  }
  const accessKey =
    presigned?.accessKey ?? /Credential=([^/]+)\//.exec(headers.authorization ?? "")?.[1] ?? "";
  const caller = backends.callerOf(accessKey);
  if (!caller)
    return refuse(response, 403, "UnrecognizedClientException", "The access key belongs to no function.");
  const asked = requestOf(incoming, body);
  const denied = refusalOf(caller, asked, backends.use);
  if (!asked || denied) return refuseAsked(asked, response, 400, "AccessDeniedException", denied);
  const call = { ...asked, caller };
  const fault = backends.fault(call);
  if (fault === "drop") return void incoming.socket.destroy();
  if (fault) return refuseAsked(call, response, fault.status, fault.type, fault.message);
  backends.count(call);
  if (call.service === "dynamodb") return backends.dynamo.forward(incoming.headers, body, response);
  if (call.service === "s3") {
    return answerS3(response, await backends.s3.answer(call, incoming.headers, body));
  }
  if (call.service === "s3vectors") return answerJson(response, await backends.vectors.answer(call));
  if (call.service === "secretsmanager") return answerJson(response, await backends.secrets.answer(call));
  if (call.service === "scheduler") return answerScheduler(call, response, backends.scheduler);
  if (call.service === "sqs") return answerSqs(incoming, body, response, backends.sqs);
  return answerInvoke(call, incoming, body, response, backends);
}

function answerS3(response: ServerResponse, { status, headers, body }: S3Answer): void {
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
}

function answerJson(response: ServerResponse, { status, type, body }: JsonAnswer): void {
  const headers = {
    "content-type": "application/json",
    ...(type !== undefined && { "x-amzn-errortype": type }),
  };
  response.writeHead(status, headers).end(JSON.stringify(body));
}

async function answerSqs(
  incoming: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  sqs: Sqs,
): Promise<void> {
  const reply = await sqs.answer(String(incoming.headers["x-amz-target"]), body.toString());
  response.writeHead(reply.status, reply.headers).end(reply.body);
}

function answerScheduler(call: AwsCall, response: ServerResponse, scheduler: Scheduler): void {
  const { status, fault, body } = scheduler.answer(call);
  response.writeHead(status, {
    "content-type": "application/json",
    ...(fault !== undefined && { "x-amzn-errortype": fault }),
  });
  response.end(JSON.stringify(body));
}

async function answerInvoke(
  call: AwsCall,
  incoming: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  { functions, lambda }: Backends,
): Promise<void> {
  const target = functionNamed(functions, String(call.body.FunctionName));
  const outcome = lambda.invoke(target, { event: () => body.toString() || "{}" });
  if (incoming.headers["x-amz-invocation-type"] === "Event") return void response.writeHead(202).end();
  const done = await outcome;
  if (done?.ok) {
    response.writeHead(200, { "content-type": "application/json" }).end(done.payload);
    return;
  }
  response.writeHead(200, { "content-type": "application/json", "x-amz-function-error": "Unhandled" });
  response.end(JSON.stringify(done?.error ?? null));
}

/** A refusal in the form that the asked service answers in. */
function refuseAsked(
  asked: AwsRequest | undefined,
  response: ServerResponse,
  status: number,
  type: string,
  message = "refused",
): void {
  if (asked?.service !== "s3") {
    refuse(response, status, type, message);
    return;
  }
  const isDenied = type === "AccessDeniedException";
  const fault = isDenied ? s3Fault(403, "AccessDenied", message) : s3Fault(status, type, message);
  response.writeHead(fault.status, fault.headers).end(fault.body);
}

/** An error in the form of AWS's JSON protocols; the header is for the REST ones. */
function refuse(response: ServerResponse, status: number, type: string, message: string): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { "content-type": "application/x-amz-json-1.0", "x-amzn-errortype": type });
  response.end(JSON.stringify({ __type: `com.amazon.coral.service#${type}`, message, Message: message }));
}
