import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { readBody } from "../../local/aws/read-body.ts";
import { type Listening, serveOnLoopback } from "../../local/machine/listen-on-loopback.ts";
import { type Use, useOf } from "../queue/metered.ts";

const forwardedHeaders = ["authorization", "content-type", "x-amz-date", "x-amz-target"];
/** Operations that return their consumed capacity. */
const metered = /(Items?|Query|Scan)$/;

/**
 * Starts a proxy before a database engine that requests the consumed capacity with every call.
 *
 * @param onUse  called with the access key of the caller, and the capacity that its call consumed
 */
export async function startCapacityProxy(
  engine: string,
  onUse: (accessKey: string, use: Use) => void,
): Promise<Listening> {
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    forward(engine, incoming, response, onUse).catch(() => response.destroy());
  });
  return serveOnLoopback(server);
}

async function forward(
  engine: string,
  incoming: IncomingMessage,
  response: ServerResponse,
  onUse: (accessKey: string, use: Use) => void,
): Promise<void> {
  const operation = String(incoming.headers["x-amz-target"] ?? "").split(".")[1] ?? "";
  const received = await readBody(incoming);
  const body = metered.test(operation) ? withCapacityRequested(received) : received;
  const headers = forwardedHeaders.flatMap((name): [string, string][] => {
    const value = incoming.headers[name];
    return typeof value === "string" ? [[name, value]] : [];
  });
  const reply = await fetch(engine, { method: "POST", headers, body });
  const text = await reply.text();
  if (reply.ok && metered.test(operation)) {
    const [, accessKey = ""] = /Credential=([^/]+)\//.exec(incoming.headers.authorization ?? "") ?? [];
    onUse(accessKey, useOf(operation, JSON.parse(text)));
  }
  const type = reply.headers.get("content-type") ?? "application/x-amz-json-1.0";
  response.writeHead(reply.status, { "content-type": type }).end(text);
}

const withCapacityRequested = (body: Buffer): string =>
  JSON.stringify({ ...JSON.parse(body.toString()), ReturnConsumedCapacity: "INDEXES" });
