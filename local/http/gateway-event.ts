import type { IncomingMessage } from "node:http";
import { payloadLimitBytes } from "../lambda/lambda-host.ts";
import { accountId } from "../template/names.ts";

/** A request as the HTTP server received it, with its whole body. */
export type ReceivedRequest = {
  readonly method: string;
  readonly rawPath: string;
  readonly rawQuery: string;
  readonly rawHeaders: readonly string[];
  readonly sourceIp: string;
  readonly body: Buffer;
  /** The body was larger than the gateway takes; it is empty here. */
  readonly tooLarge?: true;
  readonly requestId: string;
  readonly receivedAt: number;
};

export type EventDetails = {
  /** Path as the service passes it: a function URL leaves it as it came, an HTTP API decodes it. */
  readonly path: string;
  readonly apiId: string;
  readonly routeKey: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  /** Context that the authorizer returned; absent on a route without an authorizer. */
  readonly authorizer?: unknown;
};

export function receivedRequest(incoming: IncomingMessage, body: Buffer, requestId: string): ReceivedRequest {
  const [rawPath = "/", ...query] = (incoming.url ?? "/").split("?");
  return {
    method: incoming.method ?? "GET",
    rawPath,
    rawQuery: query.join("?"),
    rawHeaders: incoming.rawHeaders,
    sourceIp: incoming.socket.remoteAddress ?? "127.0.0.1",
    body,
    requestId,
    receivedAt: Date.now(),
  };
}

/**
 * The event that an integration receives: HTTP API payload format 2.0, which function URLs use as well.
 *
 * @source API Gateway developer guide, "Working with AWS Lambda proxy integrations for HTTP APIs", format 2.0
 */
export function gatewayEvent(request: ReceivedRequest, details: EventDetails): object {
  const base64 = request.body.length > 0 && !isText(headersOf(request.rawHeaders)["content-type"]);
  return {
    version: "2.0",
    ...commonFields(request, details),
    ...(request.body.length > 0 && { body: request.body.toString(base64 ? "base64" : "utf8") }),
    isBase64Encoded: base64,
  };
}

/**
 * An event as text; undefined when it is larger than the payload limit of Lambda.
 *
 * @source Lambda quotas: 6 MB for a synchronous request; the caller answers 413 then
 */
export function eventText(event: object): string | undefined {
  const text = JSON.stringify(event);
  return Buffer.byteLength(text) > payloadLimitBytes ? undefined : text;
}

/** The event that a request authorizer receives: as above, without the body. */
export function authorizerEvent(request: ReceivedRequest, details: EventDetails, routeArn: string): object {
  return {
    version: "2.0",
    type: "REQUEST",
    routeArn,
    identitySource: null,
    ...commonFields(request, details),
  };
}

function commonFields(
  request: ReceivedRequest,
  { path, apiId, routeKey, pathParameters, authorizer }: EventDetails,
): object {
  const { cookie, ...headers } = headersOf(request.rawHeaders);
  const domainName = headers.host ?? "localhost";
  return {
    routeKey,
    rawPath: path,
    rawQueryString: request.rawQuery,
    ...(cookie !== undefined && { cookies: cookie.split(/;\s*/) }),
    headers: { ...headers, "x-forwarded-for": request.sourceIp, "x-forwarded-proto": "http" },
    ...(request.rawQuery && { queryStringParameters: queryOf(request.rawQuery) }),
    requestContext: {
      accountId,
      apiId,
      ...(authorizer !== undefined && { authorizer: { lambda: authorizer } }),
      domainName,
      domainPrefix: domainName.split(".")[0],
      http: {
        method: request.method,
        path,
        protocol: "HTTP/1.1",
        sourceIp: request.sourceIp,
        userAgent: headers["user-agent"] ?? "",
      },
      requestId: request.requestId,
      routeKey,
      stage: "$default",
      time: new Date(request.receivedAt).toISOString(),
      timeEpoch: request.receivedAt,
    },
    ...(Object.keys(pathParameters).length > 0 && { pathParameters }),
  };
}

/** Lower-case names. The values of a repeated header are joined by commas, those of `cookie` by semicolons. */
function headersOf(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] ?? "").toLowerCase();
    const value = raw[index + 1] ?? "";
    const previous = headers[name];
    headers[name] = previous === undefined ? value : `${previous}${name === "cookie" ? "; " : ","}${value}`;
  }
  return headers;
}

function queryOf(rawQuery: string): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(rawQuery)) {
    const previous = query[name];
    query[name] = previous === undefined ? value : `${previous},${value}`;
  }
  return query;
}

/**
 * Whether a body is passed as text. Every other body, forms included, is passed in base64.
 *
 * @decided AWS documents no list for HTTP APIs, so we use the one for load balancers. A handler has to check
 *          `isBase64Encoded` in any case
 */
function isText(contentType = ""): boolean {
  return /^(text\/|application\/(json|javascript|xml)\b|application\/[\w.+-]+\+(json|xml)\b)/i.test(
    contentType,
  );
}
