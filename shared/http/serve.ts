import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import { parseDecision } from "../auth/decision.ts";
import type { RouteTable } from "../routes/route.ts";
import { inAuditScope } from "../runtime/audit-scope.ts";
import { inLogScope } from "../runtime/log-scope.ts";
import type { Answer } from "./answer.ts";
import { withDeadline } from "./deadline.ts";
import type { Exchange } from "./exchange.ts";
import { bindFamily, type Handlers, type NoExtras } from "./handlers.ts";
import type { HttpOptions } from "./http-options.ts";
import { incomingFrom } from "./incoming.ts";
import { createPipeline, type Site } from "./pipeline.ts";
import { bufferedWaitLimits, waitingOf } from "./wait-limits.ts";

export type BufferedHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

/**
 * Makes a family's function behind the HTTP API. The authorizer makes the decision on access; a request without one is
 * refused.
 *
 * @param options   what `httpOptionsFrom` made of the function's environment
 * @param overrides replaces parts of the site: for the family that forwards unmatched paths and for the one with signatures
 */
export function serve<R extends RouteTable, Needs, H extends Handlers<R, Needs>>(
  routes: R,
  handlers: H & NoExtras<H, R>,
  deps: Needs,
  options: HttpOptions,
  overrides: Pick<Site, "elsewhere" | "checkSignature"> & Partial<Pick<Site, "match">> = {},
): BufferedHandler {
  const pipeline = createPipeline(
    { ...bindFamily(routes, handlers, deps), buffers: true, ...overrides },
    options,
  );
  return (event, context) =>
    withDeadline(context, async (signal) => {
      const { decision, address } = authorized(event);
      const incoming = incomingFrom(event, typeof address === "string" ? address : undefined);
      const decide = async () => parseDecision(decision);
      const exchange: Exchange = {
        event,
        incoming,
        decide,
        signal,
        invocation: { waitLimits: bufferedWaitLimits(waitingOf(event, context)) },
        startedAt: performance.now(),
        logFields: {},
        audited: {},
      };
      const answered = inLogScope({ request_id: incoming.requestId }, () =>
        inAuditScope(exchange.audited, () => pipeline(exchange, context)),
      );
      return resultOf(await answered);
    });
}

/** What the authorizer says of a request; the event's type does not declare its place. */
function authorized({ requestContext }: APIGatewayProxyEventV2): Readonly<Record<string, unknown>> {
  const { authorizer } = requestContext as { authorizer?: { lambda?: Record<string, unknown> | null } };
  return authorizer?.lambda ?? {};
}

/** Behind the HTTP API the pipeline has joined the frames of every stream. */
function resultOf({ status, headers, body }: Answer): APIGatewayProxyStructuredResultV2 {
  const result = { statusCode: status, headers: { ...headers } };
  if (body instanceof Uint8Array) {
    return { ...result, body: Buffer.from(body).toString("base64"), isBase64Encoded: true };
  }
  return typeof body === "string" ? { ...result, body } : result;
}
