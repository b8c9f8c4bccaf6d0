import type { ServerResponse } from "node:http";
import type { LambdaHost } from "../lambda/lambda-host.ts";
import type { StreamSink } from "../lambda/start-thread.ts";
import type { FunctionModel } from "../template/functions.ts";
import type { Door } from "./api-door.ts";
import { sendFunctionAnswer, sendGatewayMessage } from "./gateway-answer.ts";
import { eventText, gatewayEvent } from "./gateway-event.ts";

/**
 * A function's own address (function URL, response streaming): no route, no authorizer, the answer in pieces as they
 * are written. When the client leaves, the function's response stream is destroyed; AWS itself does not tell.
 */
export function streamDoor(model: FunctionModel, lambda: LambdaHost): Door {
  return async (request, response) => {
    const details = { apiId: "url", routeKey: "$default", pathParameters: {} };
    const event = eventText(gatewayEvent(request, details));
    if (event === undefined) return sendGatewayMessage(response, 413, "Request Entity Too Large");
    const left = new AbortController();
    response.once("close", () => {
      if (!response.writableFinished) left.abort();
    });
    const sink = sinkInto(response);
    const outcome = await lambda.invoke(model, {
      event: () => event,
      sink,
      signal: left.signal,
    });
    if (response.headersSent) {
      if (outcome?.ok) response.end();
      else response.destroy();
      return;
    }
    const sent = outcome?.ok && sendFunctionAnswer(response, outcome.payload, request.requestId);
    if (!sent) sendGatewayMessage(response, 502, "Internal Server Error");
  };
}

function sinkInto(response: ServerResponse): StreamSink {
  return {
    head: ({ statusCode, headers, cookies }) => {
      response.writeHead(statusCode, {
        ...headers,
        ...(cookies.length > 0 && { "set-cookie": [...cookies] }),
      });
      response.flushHeaders();
    },
    chunk: (chunk) => {
      response.write(chunk);
    },
  };
}
