import { once } from "node:events";
import type { Writable } from "node:stream";
import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import type { Authorize } from "../../auth/authorize.ts";
import type { FromEdge } from "../../auth/from-edge.ts";
import { ServiceError } from "../../errors.ts";
import type { RouteTable } from "../../routes/route.ts";
import { inAuditScope } from "../../runtime/audit-scope.ts";
import { EDGE_VIEWER_HEADER } from "../../runtime/edge-secret.ts";
import { inLogScope } from "../../runtime/log-scope.ts";
import { type Answer, isStream } from "../answer.ts";
import { withDeadline } from "../deadline.ts";
import type { Exchange } from "../exchange.ts";
import { bindFamily, type Handlers, type NoExtras } from "../handlers.ts";
import type { HttpOptions } from "../http-options.ts";
import { incomingFrom } from "../incoming.ts";
import { createPipeline } from "../pipeline.ts";
import { streamingWaitLimits, waitingOf } from "../wait-limits.ts";
import { withKeepAlive } from "./with-keep-alive.ts";

type Prelude = { statusCode: number; headers: Record<string, string> };

/** The global that Lambda gives to functions that stream. */
export type Awslambda = {
  readonly streamifyResponse: <T>(
    handler: (event: APIGatewayProxyEventV2, responseStream: Writable, context: Context) => Promise<void>,
  ) => T;
  readonly HttpResponseStream: { readonly from: (stream: Writable, prelude: Prelude) => Writable };
};

declare const awslambda: Awslambda | undefined;

/**
 * Makes a family's function behind a streaming function URL. Anybody can call that address and no authorizer stands
 * before it, so the function itself refuses what did not come through CloudFront, and then calls `authorize`, before
 * anything else. An answer that is not a stream is written at once. A function that streams may work on after it has
 * ended its answer: Lambda stops it when the returned promise is settled, or at its timeout.
 *
 *   request ─▶ handler ─▶ answer, end ─▶ client
 *                 └─ afterAnswer(work) ──────────── work ─▶ return
 *
 * @param authorize  the same decision that the authorizer makes
 * @param fromEdge   undefined refuses every request
 */
export function serveStream<R extends RouteTable, Needs, H extends Handlers<R, Needs>>(
  routes: R,
  handlers: H & NoExtras<H, R>,
  deps: Needs,
  options: HttpOptions,
  authorize: Authorize,
  fromEdge: FromEdge | undefined,
): unknown {
  // Outside Lambda (tests, tools) there is nothing to stream to; the family's buffered handler works without it.
  if (typeof awslambda === "undefined") return undefined;
  const { streamifyResponse, HttpResponseStream } = awslambda;
  const requireEdge = async ({ headers }: APIGatewayProxyEventV2): Promise<string | undefined> => {
    if (!(await fromEdge?.(headers)))
      throw new ServiceError("UNAUTHORIZED", "This address is not for clients; use the service's own");
    return headers[EDGE_VIEWER_HEADER];
  };
  const site = { ...bindFamily(routes, handlers, deps), buffers: false, requireEdge };
  const pipeline = createPipeline(site, options);
  return streamifyResponse((event, responseStream, context) => {
    const disconnected = new AbortController();
    let isAnswered = false;
    responseStream.once("close", () => {
      if (!isAnswered) disconnected.abort(new Error("the client is gone"));
    });
    const later: Promise<void>[] = [];
    const audited = {};
    const incoming = incomingFrom(event);
    const respond = async (signal: AbortSignal) => {
      const exchange: Exchange = {
        event,
        incoming,
        decide: () => authorize(exchange.incoming),
        signal,
        invocation: {
          waitLimits: streamingWaitLimits(waitingOf(event, context)),
          afterAnswer: (work) => void later.push(work),
        },
        startedAt: performance.now(),
        logFields: {},
        audited,
      };
      try {
        const { status, headers, body } = await pipeline(exchange, context);
        const prelude = { statusCode: status, headers: { ...headers } };
        await write(body, HttpResponseStream.from(responseStream, prelude), disconnected.signal);
      } finally {
        isAnswered = true;
        await Promise.allSettled(later);
      }
    };
    return inLogScope({ request_id: incoming.requestId }, () =>
      inAuditScope(audited, () => withDeadline(context, respond, disconnected.signal)),
    );
  });
}

/** The status and the headers leave with the first `write`, and never without one: so also an answer of no bytes writes. */
async function write(body: Answer["body"], stream: Writable, disconnected: AbortSignal): Promise<void> {
  if (isStream(body)) {
    stream.write("");
    for await (const chunk of withKeepAlive(body)) {
      if (disconnected.aborted) break;
      if (!stream.write(chunk))
        await once(stream, "drain", { signal: disconnected }).catch(unlessDisconnected(disconnected));
    }
  } else {
    stream.write(body ?? "");
  }
  stream.end();
}

/** A client that disconnects while we wait for it to read is not an error. */
const unlessDisconnected = (disconnected: AbortSignal) => (error: unknown) => {
  if (!disconnected.aborted) throw error;
};
