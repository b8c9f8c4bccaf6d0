import type { ServerResponse } from "node:http";
import * as v from "valibot";

const FunctionResponse = v.object({
  statusCode: v.pipe(v.number(), v.integer(), v.minValue(100), v.maxValue(599)),
  headers: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])), {}),
  cookies: v.optional(v.array(v.string()), []),
  body: v.optional(v.string(), ""),
  isBase64Encoded: v.optional(v.boolean(), false),
});

/**
 * Sends what an integration returned, payload format 2.0.
 *
 * @returns false when the result is not a valid response; nothing is sent then
 */
export function sendFunctionResponse(response: ServerResponse, payload: string, requestId: string): boolean {
  const result: unknown = JSON.parse(payload);
  if (typeof result !== "object" || result === null || !("statusCode" in result)) {
    response.writeHead(200, { "content-type": "application/json", "apigw-requestid": requestId });
    response.end(payload);
    return true;
  }
  const parsed = v.safeParse(FunctionResponse, result);
  if (!parsed.success) return false;
  const { statusCode, headers, cookies, body, isBase64Encoded } = parsed.output;
  const bytes = Buffer.from(body, isBase64Encoded ? "base64" : "utf8");
  response.writeHead(statusCode, {
    "content-type": "text/plain;charset=UTF-8",
    ...lowerCased(headers),
    ...(cookies.length > 0 && { "set-cookie": cookies }),
    ...(statusCode !== 204 && statusCode !== 304 && { "content-length": bytes.length }),
    "apigw-requestid": requestId,
  });
  response.end(bytes);
  return true;
}

/** Sends a response that the gateway itself produces, such as 404 or 503. */
export function sendGatewayMessage(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ message }));
}

const lowerCased = (headers: Record<string, string | number | boolean>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
