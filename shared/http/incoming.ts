import type { APIGatewayProxyEventV2 } from "aws-lambda";

/** A request as it came, whether through the HTTP API or a function URL. */
export type Incoming = {
  readonly method: string;
  readonly rawPath: string;
  readonly rawQueryString: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  readonly requestId: string;
  /** Address that opened the connection; a proxy's, if the client uses one. */
  readonly sourceIp: string;
  /** Scheme and host at which the HTTP API or the function URL was reached, as it reports them itself. */
  readonly origin: string;
};

/** Reads an event of payload format 2.0, as an HTTP API and a function URL both send it. */
export function incomingFrom(event: APIGatewayProxyEventV2): Incoming {
  return {
    method: event.requestContext.http.method,
    rawPath: event.rawPath,
    rawQueryString: event.rawQueryString,
    headers: event.headers,
    body: Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8"),
    requestId: event.requestContext.requestId,
    sourceIp: event.requestContext.http.sourceIp,
    origin: `${event.headers["x-forwarded-proto"] === "http" ? "http" : "https"}://${event.requestContext.domainName}`,
  };
}
