import type { ServerResponse } from "node:http";
import * as v from "valibot";
import type { LambdaHost } from "../lambda/lambda-host.ts";
import type { Outcome } from "../lambda/start-thread.ts";
import type { EdgeModel } from "../template/edge.ts";
import type { FunctionModel } from "../template/functions.ts";
import { accountId, region } from "../template/names.ts";
import {
  authorizerEvent,
  type EventDetails,
  eventText,
  gatewayEvent,
  type ReceivedRequest,
} from "./gateway-event.ts";
import { sendFunctionResponse, sendGatewayMessage } from "./gateway-response.ts";
import { type RouteMatch, routeTable } from "./route-table.ts";

export type RequestHandler = (request: ReceivedRequest, response: ServerResponse) => Promise<void>;

/** @source HTTP API quotas: an integration has 30 s, a Lambda authorizer 10 s */
const integrationTimeoutMs = 30_000;
const authorizerTimeoutMs = 10_000;
const SimpleResponse = v.object({ isAuthorized: v.boolean(), context: v.optional(v.unknown()) });

/** The HTTP API: route, authorizer, integration. It answers with its own messages when one of them fails. */
export function httpApi(edge: EdgeModel, lambda: LambdaHost): RequestHandler {
  const match = routeTable(edge.routes);

  const authorize = async (request: ReceivedRequest, { route, pathParameters }: RouteMatch) => {
    if (!route.authorizer) return { allowed: true, context: undefined };
    const details = {
      path: decodedPath(request.rawPath),
      apiId: edge.apiId,
      routeKey: route.key,
      pathParameters,
    };
    const event = JSON.stringify(authorizerEvent(request, details, routeArn(edge.apiId, request, route.key)));
    const outcome = await within(authorizerTimeoutMs, lambda, route.authorizer, event);
    if (outcome === "timeout" || !outcome?.ok) return undefined;
    const parsed = v.safeParse(SimpleResponse, JSON.parse(outcome.payload));
    if (!parsed.success) return undefined;
    return { allowed: parsed.output.isAuthorized, context: parsed.output.context ?? {} };
  };

  return async (request, response) => {
    if (request.tooLarge) return sendGatewayMessage(response, 413, "Request Entity Too Large");
    const matched = match(request.method, request.rawPath);
    if (!matched) return sendGatewayMessage(response, 404, "Not Found");
    const decision = await authorize(request, matched);
    if (!decision) return sendGatewayMessage(response, 500, "Internal Server Error");
    if (!decision.allowed) return sendGatewayMessage(response, 403, "Forbidden");
    const details: EventDetails = {
      path: decodedPath(request.rawPath),
      apiId: edge.apiId,
      routeKey: matched.route.key,
      pathParameters: matched.pathParameters,
      ...(decision.context !== undefined && { authorizer: decision.context }),
    };
    const event = eventText(gatewayEvent(request, details));
    if (event === undefined) return sendGatewayMessage(response, 413, "Request Entity Too Large");
    const outcome = await within(integrationTimeoutMs, lambda, matched.route.function, event);
    if (outcome === "timeout") return sendGatewayMessage(response, 503, "Service Unavailable");
    const sent = outcome?.ok && sendFunctionResponse(response, outcome.payload, request.requestId);
    if (!sent) sendGatewayMessage(response, 500, "Internal Server Error");
  };
}

/** A function that is still being bundled, as at a first start, has its time from then on: nothing is bundled at AWS. */
async function within(
  timeoutMs: number,
  lambda: LambdaHost,
  model: FunctionModel,
  event: string,
): Promise<Outcome | undefined | "timeout"> {
  await lambda.whenBundled(model);
  return withTimeout(timeoutMs, lambda.invoke(model, { event: () => event }));
}

async function withTimeout<T>(timeoutMs: number, work: Promise<T>): Promise<T | "timeout"> {
  const timeout = Promise.withResolvers<"timeout">();
  const timer = setTimeout(() => timeout.resolve("timeout"), timeoutMs);
  try {
    return await Promise.race([work, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** As an HTTP API passes it: decoded, and without what follows a question mark that was encoded. */
function decodedPath(rawPath: string): string {
  try {
    return decodeURIComponent(rawPath).replace(/\?.*$/s, "");
  } catch {
    return rawPath;
  }
}

function routeArn(apiId: string, request: ReceivedRequest, routeKey: string): string {
  const [method, path = ""] = routeKey.split(" ");
  const route = routeKey === "$default" ? routeKey : `${method ?? request.method}${path}`;
  return `arn:aws:execute-api:${region}:${accountId}:${apiId}/$default/${route}`;
}
