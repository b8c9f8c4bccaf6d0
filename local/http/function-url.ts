import type { ServerResponse } from "node:http";
import type { LambdaHost } from "../lambda/lambda-host.ts";
import type { StreamSink } from "../lambda/start-thread.ts";
import type { FunctionModel } from "../template/functions.ts";
import { eventText, gatewayEvent } from "./gateway-event.ts";
import { sendFunctionResponse, sendGatewayMessage } from "./gateway-response.ts";
import type { RequestHandler } from "./http-api.ts";

/**
 * A function URL with response streaming: no route, no authorizer, and each chunk is sent as the function writes it. The
 * answer ends when the function ends its stream; the function may go on after that until it returns. As on AWS, a function
 * is not notified when its client disconnects: it works to its end, and what it still writes is dropped.
 */
export function functionUrl(model: FunctionModel, lambda: LambdaHost): RequestHandler {
  return async (request, response) => {
    const details = { path: request.rawPath, apiId: "url", routeKey: "$default", pathParameters: {} };
    const event = eventText(gatewayEvent(request, details));
    if (event === undefined || request.tooLarge)
      return sendGatewayMessage(response, 413, "Request Entity Too Large");
    const sink = responseSink(response, () => sendGatewayMessage(response, 502, "Internal Server Error"));
    const outcome = await lambda.invoke(model, { event: () => event, sink });
    if (response.headersSent) {
      if (outcome?.ok) response.end();
      else if (!response.writableEnded) response.destroy();
      return;
    }
    const sent = outcome?.ok && sendFunctionResponse(response, outcome.payload, request.requestId);
    if (!sent) sendGatewayMessage(response, 502, "Internal Server Error");
  };
}

/** @param broken  called when the function has ended an answer that has no head */
function responseSink(response: ServerResponse, broken: () => void): StreamSink {
  return {
    head: ({ statusCode, headers, cookies }) => {
      response.writeHead(statusCode, {
        ...headers,
        ...(cookies.length > 0 && { "set-cookie": [...cookies] }),
      });
      response.flushHeaders();
    },
    chunk: (chunk) => {
      if (!response.destroyed) response.write(chunk);
    },
    end: () => {
      if (response.headersSent) response.end();
      else broken();
    },
  };
}
