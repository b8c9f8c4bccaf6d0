import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import { toJsonRpcError } from "@a2a-js/sdk/errors";
import { JsonRpcTransportHandler, ServerCallContext } from "@a2a-js/sdk/server";
import * as v from "valibot";
import { unreadable } from "../../shared/a2a/sent-message.ts";
import { ServiceError } from "../../shared/errors.ts";
import { type EventStream, Reply } from "../../shared/http/handler.ts";
import { requireComponent, requireScope, requireSomeScope } from "../../shared/runs/index.ts";
import type { A2aDeps, A2aRequest } from "./a2a-deps.ts";
import { requireKnownVersion, versionIn } from "./protocol-version.ts";
import { isObject, notJson, readJson, requireJsonType } from "./read-json.ts";
import { requestHandler } from "./request-handler.ts";
import { openStream } from "./rest-answers.ts";

type Json = Readonly<Record<string, unknown>>;
type Call = { readonly id: unknown; readonly method: string; readonly params: unknown };

const running = new Set([
  ...["SendMessage", "SendStreamingMessage", "CancelTask"],
  ...["message/send", "message/stream", "tasks/cancel"],
]);
/** Every other method, of both versions. */
const reading = new Set([
  ...["GetTask", "ListTasks", "SubscribeToTask", "GetExtendedAgentCard"],
  ...["tasks/get", "tasks/resubscribe", "agent/getAuthenticatedExtendedCard"],
]);
const UNSUPPORTED_MEDIA = 415;
const pushing = /PushNotificationConfig/i;
const legacy = /^[a-z]+\//;

/** The methods of version 0.3, which clients may also send to the address that its cards name. */
export const isLegacyMethod = (method: unknown): method is string =>
  typeof method === "string" && legacy.test(method);

/**
 * The JSON-RPC binding, of version 1.0 and 0.3: the method's name says which. The route is open to every credential;
 * the scope that a method needs is checked here.
 *
 * @throws ServiceError UNAUTHORIZED, NOT_FOUND and what the runs handlers throw: those are HTTP answers
 */
export async function callMethod(request: A2aRequest, deps: A2aDeps): Promise<Json | EventStream | Reply> {
  requireSomeScope(request);
  await requireComponent(deps, request.component);
  try {
    requireJsonType(request);
  } catch (error) {
    // No call has been read yet, so there is none that a 200 could answer.
    return new Reply(UNSUPPORTED_MEDIA, refusal(null, toJsonRpcError(error)));
  }
  const body = readJson(request);
  if (body === notJson) return refusal(null, { code: -32700, message: "the body is not JSON" });
  const call = callIn(body);
  if ("refused" in call) return refusal(call.id, { code: -32600, message: call.refused });
  const isRunning = running.has(call.method) || pushing.test(call.method);
  requireScope(request, isRunning ? "run" : "read");
  if (!isRunning && !reading.has(call.method)) {
    // The SDK looks at the parameters first.
    return refusal(call.id, { code: METHOD_NOT_FOUND, message: `there is no method ${call.method}` });
  }
  try {
    requireKnownVersion(versionIn(request));
  } catch (error) {
    return refusal(call.id, toJsonRpcError(error));
  }
  if (aboutOneTask.has(call.method) && !v.is(OneTask, call.params)) {
    return refusal(call.id, { code: INVALID_PARAMS, message: "params.id must be the id of a task" });
  }
  return answer(request, deps, call, isLegacyMethod(call.method) ? "0.3" : "1.0");
}

/** Methods that look a task up. The codecs of 0.3 pass on whatever was sent as its id. */
const aboutOneTask = new Set([
  ...["GetTask", "CancelTask", "SubscribeToTask"],
  ...["tasks/get", "tasks/cancel", "tasks/resubscribe"],
]);
const OneTask = v.looseObject({ id: v.pipe(v.string(), v.nonEmpty()) });
const INVALID_PARAMS = -32_602;
const METHOD_NOT_FOUND = -32_601;

function callIn(body: unknown): Call | { readonly id: unknown; readonly refused: string } {
  if (!isObject(body)) return { id: null, refused: "a request is one object" };
  // JSON-RPC lets parameters be left out.
  const { jsonrpc, id, method, params = {} } = body;
  const isId = id === undefined || id === null || typeof id === "string" || Number.isInteger(id);
  if (!isId) return { id: null, refused: "id must be a string, a whole number or null" };
  if (jsonrpc !== "2.0") return { id: id ?? null, refused: "jsonrpc must be 2.0" };
  if (typeof method !== "string" || method === "") return { id: id ?? null, refused: "method is required" };
  return { id: id ?? null, method, params };
}

const refusal = (id: unknown, error: Json): Json => ({ jsonrpc: "2.0", id, error });

const transports = { "1.0": JsonRpcTransportHandler, "0.3": LegacyJsonRpcTransportHandler };

async function answer(
  request: A2aRequest,
  deps: A2aDeps,
  call: Call,
  requestedVersion: keyof typeof transports,
): Promise<Json | EventStream> {
  const captured: Captured = {};
  // The codecs read leniently, so that what was sent is looked at as well.
  const sent = { version: requestedVersion, params: call.params };
  const transport = new transports[requestedVersion](
    capturing(requestHandler(request, deps, sent), captured),
  );
  const context = new ServerCallContext({ requestedVersion });
  const response = await transport.handle({ jsonrpc: "2.0", ...call }, context);
  if (captured.error) throw captured.error;
  // Every other failure is one of the codecs, whose messages are not shown to clients.
  if (v.is(Failure, response)) return refusal(call.id, toJsonRpcError(unreadable()));
  return streamedOr(response, call, requestedVersion);
}

type Handler = ReturnType<typeof requestHandler>;
type Captured = { error?: unknown };

/**
 * The SDK makes an answer of every error. The platform's own errors, and unexpected ones, are captured for the
 * pipeline.
 */
function capturing(handler: Handler, captured: Captured): Handler {
  const capture = (error: unknown): never => {
    if (isOurs(error)) captured.error = error;
    throw error;
  };
  const methods = [
    ...(["sendMessage", "getTask", "cancelTask", "listTasks"] as const),
    ...(["createTaskPushNotificationConfig", "getTaskPushNotificationConfig"] as const),
    ...(["listTaskPushNotificationConfigs", "deleteTaskPushNotificationConfig"] as const),
  ];
  const wrapped = methods.map((name) => [
    name,
    (...args: never[]) => (handler[name] as (...args: never[]) => Promise<unknown>)(...args).catch(capture),
  ]);
  return { ...handler, ...Object.fromEntries(wrapped) };
}

/** Whether an error is none of the protocol's own. */
const isOurs = (error: unknown): boolean =>
  error instanceof ServiceError || toJsonRpcError(error).code === INTERNAL;
const INTERNAL = -32603;
const Failure = v.object({ error: v.object({ code: v.literal(INTERNAL) }) });

async function streamedOr(
  response: object,
  { id, method }: Call,
  version: keyof typeof transports,
): Promise<Json | EventStream> {
  if (!(Symbol.asyncIterator in response)) return { ...response };
  try {
    const frameOf = method === "message/stream" ? finalOnPause : asItIs;
    // The SDK types what it streams as unknown envelopes.
    return await openStream(response as AsyncGenerator<unknown, void, undefined>, frameOf);
  } catch (error) {
    if (isOurs(error)) throw error;
    const refused = toJsonRpcError(error);
    const frame = refusal(id, refused);
    return version === "0.3" && isAboutTask(refused.code) ? openStream(single(frame), asItIs) : frame;
  }
}

const asItIs = (frame: unknown): unknown => frame;

async function* single<T>(frame: T): AsyncGenerator<T, void, undefined> {
  yield frame;
}

/**
 * Whether an error is about the task, not about the request. Clients of 0.3 expect the former in the stream that they
 * wait for, and errors of their parameters outside of one.
 *
 * @decided  As the official server of 0.3 does it, which its conformance kit expects.
 */
const isAboutTask = (code: number): boolean => code > -32_100 && code <= -32_001;

const Pause = v.looseObject({
  result: v.looseObject({
    kind: v.literal("status-update"),
    status: v.looseObject({ state: v.literal("input-required") }),
  }),
});

/**
 * A frame of a stream that a message opened, by JSON-RPC of version 0.3. Such a stream closes where its task requires
 * input, and its last status must be marked final; the SDK marks only the end of a task.
 */
function finalOnPause(frame: unknown): unknown {
  const paused = v.safeParse(Pause, frame);
  return paused.success ? { ...paused.output, result: { ...paused.output.result, final: true } } : frame;
}
