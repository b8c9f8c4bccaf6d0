import type { ServerResponse } from "node:http";
import * as v from "valibot";
import type { LambdaHost } from "../lambda/lambda-host.ts";
import type { Outcome } from "../lambda/start-thread.ts";
import type { EdgeModel } from "../template/edge.ts";
import type { FunctionModel } from "../template/functions.ts";
import { accountId, region } from "../template/names.ts";
import { sendFunctionAnswer, sendGatewayMessage } from "./gateway-answer.ts";
import {
  authorizerEvent,
  type EventDetails,
  eventText,
  type FrontRequest,
  gatewayEvent,
} from "./gateway-event.ts";
import { type RouteMatch, routeTable } from "./route-table.ts";

export type Door = (request: FrontRequest, response: ServerResponse) => Promise<void>;

/** @source HTTP API quotas: an integration has 30 s, a Lambda authorizer 10 s */
const integrationTimeoutMs = 30_000;
const authorizerTimeoutMs = 10_000;
const SimpleResponse = v.object({ isAuthorized: v.boolean(), context: v.optional(v.unknown()) });

/** The HTTP API: route, authorizer, integration; its own messages where none of them answers. */
export function apiDoor(edge: EdgeModel, lambda: LambdaHost): Door {
  const match = routeTable(edge.routes);

  const authorize = async (request: FrontRequest, { route, pathParameters }: RouteMatch) => {
    if (!route.authorizer) return { allowed: true, context: undefined };
    const details = { apiId: edge.apiId, routeKey: route.key, pathParameters };
    const event = JSON.stringify(authorizerEvent(request, details, routeArn(edge.apiId, request, route.key)));
    const outcome = await within(authorizerTimeoutMs, call(lambda, route.authorizer, event));
    if (outcome === "late" || !outcome?.ok) return undefined;
    const answer = v.safeParse(SimpleResponse, JSON.parse(outcome.payload));
    if (!answer.success) return undefined;
    return { allowed: answer.output.isAuthorized, context: answer.output.context ?? {} };
  };

  return async (request, response) => {
    const found = match(request.method, request.rawPath);
    if (!found) return sendGatewayMessage(response, 404, "Not Found");
    const decision = await authorize(request, found);
    if (!decision) return sendGatewayMessage(response, 500, "Internal Server Error");
    if (!decision.allowed) return sendGatewayMessage(response, 403, "Forbidden");
    const details: EventDetails = {
      apiId: edge.apiId,
      routeKey: found.route.key,
      pathParameters: found.pathParameters,
      ...(decision.context !== undefined && { authorizer: decision.context }),
    };
    const event = eventText(gatewayEvent(request, details));
    if (event === undefined) return sendGatewayMessage(response, 413, "Request Entity Too Large");
    const outcome = await within(integrationTimeoutMs, call(lambda, found.route.function, event));
    if (outcome === "late") return sendGatewayMessage(response, 503, "Service Unavailable");
    const sent = outcome?.ok && sendFunctionAnswer(response, outcome.payload, request.requestId);
    if (!sent) sendGatewayMessage(response, 500, "Internal Server Error");
  };
}

function call(lambda: LambdaHost, model: FunctionModel, event: string): Promise<Outcome | undefined> {
  return lambda.invoke(model, { event: () => event });
}

async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T | "late"> {
  const late = Promise.withResolvers<"late">();
  const timer = setTimeout(() => late.resolve("late"), timeoutMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function routeArn(apiId: string, request: FrontRequest, routeKey: string): string {
  const [method, path = ""] = routeKey.split(" ");
  const route = routeKey === "$default" ? routeKey : `${method ?? request.method}${path}`;
  return `arn:aws:execute-api:${region}:${accountId}:${apiId}/$default/${route}`;
}
