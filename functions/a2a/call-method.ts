import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import { toJsonRpcError } from "@a2a-js/sdk/errors";
import { JsonRpcTransportHandler, ServerCallContext } from "@a2a-js/sdk/server";
import * as v from "valibot";
import { finalOnPause } from "../../shared/a2a/final-on-pause.ts";
import { unreadable } from "../../shared/a2a/sent-message.ts";
import { ServiceError } from "../../shared/errors.ts";
import { type EventStream, Reply } from "../../shared/http/handler.ts";
import { requireComponent } from "../runs/read/find-component.ts";
import type { A2aDeps, A2aRequest } from "./a2a-deps.ts";
import { requireKnownVersion, versionIn } from "./protocol-version.ts";
import { isObject, notJson, readJson, requireJsonType } from "./read-json.ts";
import { requestHandler } from "./request-handler.ts";
import { requireScope, requireSomeScope } from "./require-scope.ts";
import { openStream } from "./rest-answers.ts";

type Json = Readonly<Record<string, unknown>>;
type Call = { readonly id: unknown; readonly method: string; readonly params: unknown };

const running = new Set([
  "SendMessage",
  "SendStreamingMessage",
  "CancelTask",
  "message/send",
  "message/stream",
  "tasks/cancel",
]);
const UNSUPPORTED_MEDIA = 415;
const pushing = /PushNotificationConfig/i;
const legacy = /^[a-z]+\//;

/** The methods of version 0.3, which clients may also send to the address that its cards name. */
export const isLegacyMethod = (method: unknown): method is string =>
  typeof method === "string" && legacy.test(method);

/**
 * The JSON-RPC binding, of version 1.0 and 0.3: a method's name tells which. The route is open to every credential;
 * what a method takes is asked here.
 *
 * @throws ServiceError FORBIDDEN, NOT_FOUND and what the runs' own door refuses: those are HTTP answers
 * @source contract, a2a sections 2, 3 and 8.5
 */
export async function callMethod(request: A2aRequest, deps: A2aDeps): Promise<Json | EventStream | Reply> {
  requireSomeScope(request);
  await requireComponent(deps, request.component);
  try {
    requireJsonType(request);
  } catch (error) {
    // No call has been read that an answer in a 200 could belong to.
    return new Reply(UNSUPPORTED_MEDIA, refusal(null, toJsonRpcError(error)));
  }
  const body = readJson(request);
  if (body === notJson) return refusal(null, { code: -32700, message: "the body is not JSON" });
  const call = callIn(body);
  if ("refused" in call) return refusal(call.id, { code: -32600, message: call.refused });
  requireScope(request, running.has(call.method) || pushing.test(call.method) ? "run" : "read");
  try {
    requireKnownVersion(versionIn(request));
  } catch (error) {
    return refusal(call.id, toJsonRpcError(error));
  }
  return answer(request, deps, call, isLegacyMethod(call.method) ? "0.3" : "1.0");
}

function callIn(body: unknown): Call | { readonly id: unknown; readonly refused: string } {
  if (!isObject(body)) return { id: null, refused: "a request is one object" };
  const { jsonrpc, id, method, params } = body;
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
  const kept: Kept = {};
  // The codecs of 1.0 read leniently, so that what was sent is looked at as well.
  const sent = requestedVersion === "1.0" ? call.params : undefined;
  const transport = new transports[requestedVersion](keeping(requestHandler(request, deps, sent), kept));
  const context = new ServerCallContext({ requestedVersion });
  const answered = await transport.handle({ jsonrpc: "2.0", ...call }, context);
  if (kept.error) throw kept.error;
  // What else went wrong did so in the codecs, and their words are nobody's business.
  if (v.is(Failure, answered)) return refusal(call.id, toJsonRpcError(unreadable()));
  return streamedOr(answered, call, requestedVersion);
}

type Handler = ReturnType<typeof requestHandler>;
type Kept = { error?: unknown };

/** The SDK makes an answer of every failure. Ours to answer, and what nobody expected, are kept for the door. */
function keeping(handler: Handler, kept: Kept): Handler {
  const keep = (error: unknown): never => {
    if (isOurs(error)) kept.error = error;
    throw error;
  };
  const methods = ["sendMessage", "getTask", "cancelTask", "listTasks"] as const;
  const wrapped = methods.map((name) => [
    name,
    (...asked: never[]) => (handler[name] as (...given: never[]) => Promise<unknown>)(...asked).catch(keep),
  ]);
  return { ...handler, ...Object.fromEntries(wrapped) };
}

/** Whether a failure is no word of the protocol. */
const isOurs = (error: unknown): boolean =>
  error instanceof ServiceError || toJsonRpcError(error).code === INTERNAL;
const INTERNAL = -32603;
const Failure = v.object({ error: v.object({ code: v.literal(INTERNAL) }) });

async function streamedOr(
  answered: object,
  { id, method }: Call,
  version: keyof typeof transports,
): Promise<Json | EventStream> {
  if (!(Symbol.asyncIterator in answered)) return { ...answered };
  try {
    const frameOf = method === "message/stream" ? finalOnPause : asItIs;
    // The SDK types what it streams as unknown envelopes.
    return await openStream(answered as AsyncGenerator<unknown, void, undefined>, frameOf);
  } catch (error) {
    if (isOurs(error)) throw error;
    const refused = toJsonRpcError(error);
    const told = refusal(id, refused);
    return version === "0.3" && isOfProtocol(refused.code) ? openStream(alone(told), asItIs) : told;
  }
}

const asItIs = (frame: unknown): unknown => frame;

async function* alone<T>(frame: T): AsyncGenerator<T, void, undefined> {
  yield frame;
}

/**
 * Whether a refusal is about the task, not about how it was asked for. Clients of 0.3 read it in the stream that they
 * wait for, and what is wrong with their parameters outside of one.
 *
 * @decided  As the official server of 0.3 does it, which its conformance kit expects.
 */
const isOfProtocol = (code: number): boolean => code > -32_100 && code <= -32_001;
