import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { encodedPath } from "../routes/matching/encoded-path.ts";
import { EDGE_HEADER, EDGE_HOST_HEADER, EDGE_VIEWER_HEADER } from "../runtime/edge-secret.ts";

/** A request as it came, whether through the HTTP API or a function URL. */
export type Incoming = {
  readonly method: string;
  /** Percent-encoded. */
  readonly rawPath: string;
  readonly rawQueryString: string;
  /** Lower-case names; without the one that CloudFront proves itself with, which is no handler's business. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  readonly requestId: string;
  /** Address of the client, or of its proxy: behind CloudFront the one that CloudFront has proved to have seen. */
  readonly sourceIp: string;
  /**
   * Scheme and host that the client asked for. Behind CloudFront it says them in a header; a client of the HTTP API
   * itself can write that header too, and sees what it wrote in its own answer.
   */
  readonly origin: string;
};

/**
 * Reads an event of payload format 2.0, as an HTTP API and a function URL both send it.
 *
 * @param viewer  the address that CloudFront saw, from a request that proved to have come through it
 */
export function incomingFrom(event: APIGatewayProxyEventV2, viewer?: string): Incoming {
  const { [EDGE_HEADER]: _, [EDGE_VIEWER_HEADER]: __, ...headers } = event.headers;
  const host = headers[EDGE_HOST_HEADER] ?? event.requestContext.domainName;
  return {
    method: event.requestContext.http.method,
    rawPath: encodedPath(event),
    rawQueryString: event.rawQueryString,
    headers,
    body: Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8"),
    requestId: event.requestContext.requestId,
    sourceIp: viewer ?? event.requestContext.http.sourceIp,
    origin: `${headers["x-forwarded-proto"] === "http" ? "http" : "https"}://${host}`,
  };
}
