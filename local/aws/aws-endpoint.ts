import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { DynamoProxy } from "../dynamodb/dynamo-proxy.ts";
import type { EventBuses } from "../events/event-bus.ts";
import type { TaskTokens } from "../events/task-tokens.ts";
import { LOCAL_SECRET } from "../iam/access-keys.ts";
import type { RecordUse } from "../iam/grants-record.ts";
import { refusalOf } from "../iam/refusal.ts";
import type { AwsRequest } from "../iam/required-permissions.ts";
import { answerLambda } from "../lambda/lambda-api.ts";
import type { LambdaHost } from "../lambda/lambda-host.ts";
import type { Logs } from "../logs/logs.ts";
import { type Listening, serveOnLoopback } from "../machine/listen-on-loopback.ts";
import { type BucketCors, corsAnswer } from "../s3/bucket-cors.ts";
import { readPresigned } from "../s3/presigned.ts";
import { type S3, s3Error } from "../s3/s3.ts";
import type { Vectors } from "../s3/vectors.ts";
import type { Scheduler } from "../scheduler/scheduler.ts";
import type { Sqs } from "../sqs/sqs.ts";
import type { FunctionModel } from "../template/functions.ts";
import type { AnswerAws, AwsHttpRequest, AwsReply } from "./aws-http.ts";
import { requestOf } from "./aws-request.ts";
import type { JsonAnswer } from "./json-answer.ts";
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
  readonly bucketCors: BucketCors;
  readonly vectors: Vectors;
  readonly secrets: Secrets;
  readonly logs: Logs;
  readonly eventBuses: EventBuses;
  readonly taskTokens: TaskTokens;
  readonly scheduler: Scheduler;
  readonly lambda: LambdaHost;
  readonly fault: FaultHook;
  /** Called for every request that is allowed. */
  readonly count: (call: AwsCall) => void;
  readonly use: RecordUse | undefined;
};

/** Answers requests to AWS that arrive over a socket or in a message from a function's thread. */
export type AwsEndpoint = Listening & { readonly answer: AnswerAws };

/**
 * The AWS endpoint of every function. It identifies the caller by its access key, refuses what the caller's role does
 * not allow, and forwards the rest to the local services. A function's thread answers some requests itself by the same
 * rules, and sends others here as messages instead of over a socket (`lambda/aws-gate.ts`).
 *
 * @param backends  called for every request, because the address is known before the backends exist
 */
export async function startAwsEndpoint(backends: () => Backends): Promise<AwsEndpoint> {
  const answerSafely: AnswerAws = async (request) => {
    try {
      return await answer(request, backends());
    } catch (error) {
      return errorReply(500, "InternalServerError", String(error));
    }
  };
  const server = createServer({ keepAliveTimeout: 60_000 }, async (incoming, response) => {
    const { method = "", url = "", headers } = incoming;
    try {
      const reply = await answerSafely({ method, url, headers, body: await readBody(incoming) });
      if (!reply) return void incoming.socket.destroy();
      const length = Buffer.byteLength(reply.body);
      response.writeHead(reply.status, { "content-length": length, ...reply.headers }).end(reply.body);
    } catch {
      response.destroy();
    }
  });
  return { ...(await serveOnLoopback(server)), answer: answerSafely };
}

/** Browsers are answered too: they send files to addresses that the service has signed. */
async function answer(request: AwsHttpRequest, backends: Backends): Promise<AwsReply | undefined> {
  const cors = corsAnswer(request, backends.bucketCors);
  if (cors && "preflight" in cors) return cors.preflight;
  const reply = await answerCall(request, backends);
  return reply && cors ? { ...reply, headers: { ...reply.headers, ...cors.headers } } : reply;
}

async function answerCall(request: AwsHttpRequest, backends: Backends): Promise<AwsReply | undefined> {
  const { method, url, headers, body } = request;
  const presigned = readPresigned(method, url, headers, LOCAL_SECRET, Date.now());
  if (presigned?.problem !== undefined) {
    return s3Error(403, presigned.problem, "The address does not serve (any more).");
  }
  const accessKey =
    presigned?.accessKey ?? /Credential=([^/]+)\//.exec(headers.authorization ?? "")?.[1] ?? "";
  const caller = backends.callerOf(accessKey);
  if (!caller)
    return errorReply(403, "UnrecognizedClientException", "The access key belongs to no function.");
  const awsRequest = requestOf(request);
  const refusal = refusalOf(caller, awsRequest, backends.use);
  if (!awsRequest || refusal) return errorReplyFor(awsRequest, 400, "AccessDeniedException", refusal);
  const call = { ...awsRequest, caller };
  const fault = backends.fault(call);
  if (fault === "drop") return undefined;
  if (fault && "delayMs" in fault) await pause(fault.delayMs);
  else if (fault) return errorReplyFor(call, fault.status, fault.type, fault.message);
  backends.count(call);
  if (call.service === "dynamodb") return backends.dynamo.forward(headers, body);
  if (call.service === "s3") return backends.s3.answer(call, headers, Buffer.from(body));
  if (call.service === "s3vectors") return jsonReply(await backends.vectors.answer(call));
  if (call.service === "secretsmanager") return jsonReply(await backends.secrets.answer(call));
  if (call.service === "logs") return jsonReply(await backends.logs.answer(call));
  if (call.service === "events") return jsonReply(await backends.eventBuses.answer(call));
  if (call.service === "states") return jsonReply(backends.taskTokens.answer(call));
  if (call.service === "scheduler") return jsonReply(backends.scheduler.answer(call));
  const text = Buffer.from(body).toString();
  if (call.service === "sqs") return backends.sqs.answer(String(headers["x-amz-target"]), text);
  return answerLambda(call, headers, text, backends);
}

function jsonReply({ status, type, body }: JsonAnswer): AwsReply {
  const headers = {
    "content-type": "application/json",
    ...(type !== undefined && { "x-amzn-errortype": type }),
  };
  return { status, headers, body: JSON.stringify(body) };
}

/** An error in the format of the requested service. */
function errorReplyFor(
  request: AwsRequest | undefined,
  status: number,
  type: string,
  message = "refused",
): AwsReply {
  if (request?.service !== "s3") return errorReply(status, type, message);
  const isDenied = type === "AccessDeniedException";
  return isDenied ? s3Error(403, "AccessDenied", message) : s3Error(status, type, message);
}

/** An error in the format of AWS's JSON protocols; the header is for the REST ones. */
function errorReply(status: number, type: string, message: string): AwsReply {
  return {
    status,
    headers: { "content-type": "application/x-amz-json-1.0", "x-amzn-errortype": type },
    body: JSON.stringify({ __type: `com.amazon.coral.service#${type}`, message, Message: message }),
  };
}
