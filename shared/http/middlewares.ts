import type { MiddlewareObj } from "@middy/core";
import type { Log } from "../runtime/log.ts";
import type { Answer } from "./answer.ts";
import { writeAudit } from "./audit.ts";
import { corsHeaders } from "./cors.ts";
import type { Exchange } from "./exchange.ts";
import { isFailure, renderError } from "./render-error.ts";

type Middleware = MiddlewareObj<Exchange, Answer>;
type Step = NonNullable<Middleware["after"]>;

/** Turns whatever a step threw into its answer. */
export const answerErrors: Middleware = {
  onError: (request) => {
    request.response = renderError(request.error);
  },
};

/** Lets the browsers of permitted origins read every answer, refusals and failures too. */
export function permitOrigins(origins: ReadonlySet<string>): Middleware {
  const permit: Step = (request) => {
    if (!request.response) return;
    const cors = corsHeaders(request.event.incoming.headers.origin, origins);
    // What an answer says itself wins: that of a preflight is more precise.
    request.response = { ...request.response, headers: { ...cors, ...request.response.headers } };
  };
  return { after: permit, onError: permit };
}

/**
 * Gives every answer its request's id, and writes the one line of a request once its answer is complete: for a
 * stream, when the last frame was taken or the client went away.
 */
export function observeRequests(log: Log): Middleware {
  const observe: Step = (request) => {
    const { event, response, error } = request;
    if (!response) return;
    const finish = (late?: unknown) => writeLine(log, event, response.status, error ?? late);
    const headers = { ...response.headers, "x-request-id": event.incoming.requestId };
    if (response.body === null || typeof response.body === "string") {
      finish();
      request.response = { ...response, headers };
    } else {
      request.response = { ...response, headers, body: withEnd(response.body, finish) };
    }
  };
  return { after: observe, onError: observe };
}

function writeLine(log: Log, exchange: Exchange, status: number, error: unknown): void {
  const { incoming, noted, startedAt } = exchange;
  const ms = Math.round((performance.now() - startedAt) * 10) / 10;
  // `request_id` is on every line of the request's scope.
  const line = { method: incoming.method, ...noted, status, ms };
  if (error && isFailure(error)) log.error("request failed", { ...line, error });
  else log.info("request", line);
  writeAudit(log, exchange, status);
}

async function* withEnd(
  chunks: AsyncIterable<string>,
  atEnd: (fault?: unknown) => void,
): AsyncGenerator<string> {
  let fault: unknown;
  try {
    yield* chunks;
  } catch (error) {
    fault = error;
    throw error;
  } finally {
    atEnd(fault);
  }
}
