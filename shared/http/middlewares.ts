import type { MiddlewareObj } from "@middy/core";
import type { Log } from "../runtime/log.ts";
import { type Answer, isStream } from "./answer.ts";
import { auditTrail, logAudit } from "./audit.ts";
import { corsHeaders } from "./cors.ts";
import type { Exchange } from "./exchange.ts";
import type { HttpOptions } from "./http-options.ts";
import { isFailure, renderError, renderOpenaiError } from "./render-error.ts";

type Middleware = MiddlewareObj<Exchange, Answer>;
type Step = NonNullable<Middleware["after"]>;

/** A browser takes an answer for what its type says: JSON with markup in it is no page. */
const NO_SNIFFING = { "x-content-type-options": "nosniff" };

const routeOf = ({ audited: { found } }: Exchange) =>
  found && "operation" in found ? found.route : undefined;

/** Turns an error that a step threw into an answer. */
export const answerErrors: Middleware = {
  onError: (request) => {
    const isOpenai = routeOf(request.event)?.refusals === "openai";
    request.response = (isOpenai ? renderOpenaiError : renderError)(request.error);
  },
};

/** Lets browsers at permitted origins read every answer, refusals and failures too; where a row says so, those at any origin. */
export function permitOrigins(origins: ReadonlySet<string>): Middleware {
  const permit: Step = (request) => {
    if (!request.response) return;
    const cors = routeOf(request.event)?.anyOrigin
      ? { "access-control-allow-origin": "*" }
      : corsHeaders(request.event.incoming.headers.origin, origins);
    // The answer's own headers win: those of a preflight are more precise.
    request.response = { ...request.response, headers: { ...cors, ...request.response.headers } };
  };
  return { after: permit, onError: permit };
}

/**
 * Gives every answer its request's id, and logs the request once its answer is complete: for a stream, when the last
 * frame was sent or the client has disconnected.
 */
export function observeRequests({ log, recordAudit }: Pick<HttpOptions, "log" | "recordAudit">): Middleware {
  const observe: Step = async (request) => {
    const { event, response, error } = request;
    if (!response) return;
    const finish = (late?: unknown) => writeLine(log, event, response.status, error ?? late);
    // The answer stays what it is; the log has a line of it in any case.
    await auditTrail(recordAudit, event.audited)
      .refuse(response.status)
      .catch((fault) => log.error("a refusal could not be recorded", { error: fault }));
    const headers = { ...NO_SNIFFING, ...response.headers, "x-request-id": event.incoming.requestId };
    if (!isStream(response.body)) {
      finish();
      request.response = { ...response, headers };
    } else {
      request.response = { ...response, headers, body: withEnd(response.body, finish) };
    }
  };
  return { after: observe, onError: observe };
}

function writeLine(log: Log, exchange: Exchange, status: number, error: unknown): void {
  const { incoming, logFields, startedAt } = exchange;
  const ms = Math.round((performance.now() - startedAt) * 10) / 10;
  // The log scope adds `request_id` to every line.
  const line = { method: incoming.method, ...logFields, status, ms };
  if (error && isFailure(error)) log.error("request failed", { ...line, error });
  else log.info("request", line);
  logAudit(log, exchange, status);
}

async function* withEnd(
  chunks: AsyncIterable<string>,
  atEnd: (streamError?: unknown) => void,
): AsyncGenerator<string> {
  let streamError: unknown;
  try {
    yield* chunks;
  } catch (error) {
    streamError = error;
    throw error;
  } finally {
    atEnd(streamError);
  }
}
