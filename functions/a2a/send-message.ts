import { StreamResponse, Task } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { ServerCallContext } from "@a2a-js/sdk/server";
import { legacyEvent, legacyTask, requestFromLegacy } from "../../shared/a2a/legacy-rest.ts";
import { readRequest } from "../../shared/a2a/sent-message.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { EventStream, Reply } from "../../shared/http/handler.ts";
import { requireComponent } from "../../shared/runs/index.ts";
import type { A2aDeps, A2aRequest } from "./a2a-deps.ts";
import { callMethod, isLegacyMethod } from "./call-method.ts";
import { requireKnownVersion, versionIn } from "./protocol-version.ts";
import { isObject, notJson, readJson, requireJsonType } from "./read-json.ts";
import { requestHandler } from "./request-handler.ts";
import { legacyRefusal, openStream, restRefusal, restReply } from "./rest-answers.ts";
import { sendEnvelope, streamEnvelope } from "./send-envelope.ts";

type Answer = Reply | EventStream | Readonly<Record<string, unknown>>;

/**
 * A message, in whichever dialect its body is.
 *
 *   jsonrpc or params           the envelope
 *   message, version 1.0        the HTTP binding of 1.0
 *   message.content             that of 0.3
 *   message.parts, no version   that of 1.0 for clients that forget to say so
 */
export const sendMessage = (request: A2aRequest, deps: A2aDeps): Promise<Answer> =>
  dispatch(request, deps, { envelope: sendEnvelope, current: send, legacy: sendLegacy });

/** The same, answered with a stream of its progress. */
export const streamMessage = (request: A2aRequest, deps: A2aDeps): Promise<Answer> =>
  dispatch(request, deps, {
    envelope: (target, body, needs) =>
      isLegacyMethod(body.method) && body.method !== "message/stream"
        ? callMethod(target, needs)
        : streamEnvelope(target, body, needs),
    current: stream,
    legacy: streamLegacy,
  });

type Body = Readonly<Record<string, unknown>>;
type Dialect = (request: A2aRequest, body: Body, deps: A2aDeps) => Promise<Answer>;
type Dialects = { readonly envelope: Dialect; readonly current: Dialect; readonly legacy: Dialect };

async function dispatch(request: A2aRequest, deps: A2aDeps, dialects: Dialects): Promise<Answer> {
  const version = versionIn(request);
  try {
    await requireComponent(deps, request.component);
    const body = readJson(request);
    if (isObject(body) && ("jsonrpc" in body || "params" in body)) {
      return await dialects.envelope(request, body, deps);
    }
    requireJsonType(request);
    requireKnownVersion(version);
    if (!isObject(body) || !isObject(body.message)) throw notAMessage(body, version);
    requireObjects(body, ["metadata", "configuration"]);
    requireObjects(body.message, ["metadata"]);
    if (version !== "1.0" && "content" in body.message) {
      return await dialects.legacy(request, body, deps).catch(legacyRefusal);
    }
    return await dialects.current(request, body, deps);
  } catch (error) {
    // Nothing says which dialect is used, so the errors of the oldest one are the answer.
    if (version === undefined && error instanceof ServiceError) throw error;
    return restRefusal(request, error);
  }
}

/** The codec of the SDK would drop anything else. @throws RequestMalformedError for what is there and no object */
function requireObjects(record: Body, names: readonly string[]): void {
  const wrong = names.find((name) => !isObject(record[name] ?? {}));
  if (wrong !== undefined) throw new RequestMalformedError(`${wrong} must be an object`);
}

function notAMessage(body: unknown, version: string | undefined): Error {
  const detail = body === notJson ? "the body is not JSON" : "the body holds no message";
  return version === undefined ? new ServiceError("BAD_REQUEST", detail) : new RequestMalformedError(detail);
}

const context = (requestedVersion: string) => new ServerCallContext({ requestedVersion });

async function send(request: A2aRequest, body: Body, deps: A2aDeps): Promise<Reply> {
  const handler = requestHandler(request, deps, { version: "1.0", params: body });
  const task = await handler.sendMessage(readRequest(body), context("1.0"));
  return restReply(request, 200, { task: Task.toJSON(task as Task) }); // ours answers with nothing else
}

async function stream(request: A2aRequest, body: Body, deps: A2aDeps): Promise<EventStream> {
  const handler = requestHandler(request, deps, { version: "1.0", params: body });
  const events = handler.sendMessageStream(readRequest(body), context("1.0"));
  return openStream(events, StreamResponse.toJSON);
}

async function sendLegacy(request: A2aRequest, body: Body, deps: A2aDeps): Promise<Answer> {
  const handler = requestHandler(request, deps);
  const task = await handler.sendMessage(requestFromLegacy(body), context("0.3"));
  return { task: legacyTask(task as Task) }; // ours answers with nothing else
}

async function streamLegacy(request: A2aRequest, body: Body, deps: A2aDeps): Promise<EventStream> {
  const events = requestHandler(request, deps).sendMessageStream(requestFromLegacy(body), context("0.3"));
  return openStream(events, (event) => legacyEvent(event, true));
}
