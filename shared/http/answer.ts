import type { Route } from "../routes/route.ts";
import { EventStream, JsonText, Reply } from "./handler.ts";

/** A response before it is encoded for the HTTP API or for a streaming function URL. Header names in lower case. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Frames of an event stream, or a whole text or file; null for no body. */
  readonly body: string | Uint8Array | AsyncIterable<string> | null;
};

const JSON_TYPE = "application/json";
const STREAM_TYPE = "text/event-stream; charset=utf-8";

export function jsonAnswer(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const text = body instanceof JsonText ? body.text : JSON.stringify(body);
  return { status, headers: { "content-type": JSON_TYPE, ...headers }, body: text };
}

/** Turns what a handler returned into a response. Members that are undefined are left out of JSON. */
export function httpAnswerOf(route: Route, result: unknown): Answer {
  if (result instanceof EventStream) {
    const headers = {
      "content-type": STREAM_TYPE,
      "cache-control": "no-cache",
      "x-accel-buffering": "no",
      ...result.headers,
    };
    return { status: route.status ?? 200, headers, body: result.chunks };
  }
  const reply = result instanceof Reply ? result : new Reply(route.status ?? 200, result);
  if (reply.status === 204 || reply.body === undefined) {
    return { status: reply.status, headers: reply.headers, body: null };
  }
  if (reply.body instanceof Uint8Array) {
    return { status: reply.status, headers: reply.headers, body: reply.body };
  }
  if (isText(route) && typeof reply.body === "string") {
    const headers = { "content-type": route.response.mediaType, ...reply.headers };
    return { status: reply.status, headers, body: reply.body };
  }
  return jsonAnswer(reply.status, reply.body, reply.headers);
}

const isText = (route: Route): route is Route & { response: { mediaType: string } } =>
  route.response !== null && "mediaType" in route.response;

/** Whether a body is the frames of a stream, not a whole. */
export const isStream = (body: Answer["body"]): body is AsyncIterable<string> =>
  body !== null && typeof body !== "string" && !(body instanceof Uint8Array);

/** Reads a stream to its end and joins its frames to one text. */
export async function buffered(answer: Answer): Promise<Answer> {
  if (!isStream(answer.body)) return answer;
  const parts: string[] = [];
  for await (const chunk of answer.body) parts.push(chunk);
  return { ...answer, body: parts.join("") };
}
