import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { readBody } from "../../local/aws/read-body.ts";
import { type Listening, serveOnLoopback } from "../../local/machine/listen-on-loopback.ts";
import { type Use, useOf } from "../queue/metered.ts";

const passedOn = ["authorization", "content-type", "x-amz-date", "x-amz-target"];
/** Operations that tell what they took. */
const metered = /(Items?|Query|Scan)$/;

/**
 * Stands in front of a database engine and asks it, with every call, for the capacity that the call takes.
 *
 * @param took  told the access key of the caller, and what its call took
 */
export async function startCapacityProxy(
  engine: string,
  took: (accessKey: string, use: Use) => void,
): Promise<Listening> {
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    pass(engine, incoming, response, took).catch(() => response.destroy());
  });
  return serveOnLoopback(server);
}

async function pass(
  engine: string,
  incoming: IncomingMessage,
  response: ServerResponse,
  took: (accessKey: string, use: Use) => void,
): Promise<void> {
  const operation = String(incoming.headers["x-amz-target"] ?? "").split(".")[1] ?? "";
  const given = await readBody(incoming);
  const body = metered.test(operation) ? askingForCapacity(given) : given;
  const headers = passedOn.flatMap((name): [string, string][] => {
    const value = incoming.headers[name];
    return typeof value === "string" ? [[name, value]] : [];
  });
  const reply = await fetch(engine, { method: "POST", headers, body });
  const text = await reply.text();
  if (reply.ok && metered.test(operation)) {
    const [, accessKey = ""] = /Credential=([^/]+)\//.exec(incoming.headers.authorization ?? "") ?? [];
    took(accessKey, useOf(operation, JSON.parse(text)));
  }
  const type = reply.headers.get("content-type") ?? "application/x-amz-json-1.0";
  response.writeHead(reply.status, { "content-type": type }).end(text);
}

const askingForCapacity = (body: Buffer): string =>
  JSON.stringify({ ...JSON.parse(body.toString()), ReturnConsumedCapacity: "INDEXES" });
